import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.ts';

const START_LIMIT_MS = 120_000;

/** In a mount namespace of its own: the root read-only, with nothing but /proc and an empty /dev/shm in it; then the image's user and command. */
const START = `
mount --bind "$0" "$0"
mount -o remount,ro,bind "$0"
mount -t proc proc "$0/proc"
mount --bind /dev "$0/dev"
exec chroot --userspec="$1" "$0" /bin/sh -c 'cd "$0" && exec "$@"' "$2" "\${@:3}"`;

/** Starts the image with the variables that production demands and nothing else, uses it, and stops it. @throws AssertionError */
export async function tryImage(image, log) {
  refusesWithout(image, log);
  const database = await startDatabase();
  const port = await freePort();
  // PORT is where the machine that runs the check has room; in a container 3000 is its own.
  const demanded = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const service = start(image, { ...demanded, PORT: String(port) });
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(url, service);
    log(`The service runs with only ${Object.keys(demanded).join(', ')}.`);
    standing(service, image, log);
    await used(url, service, log);
    const healthy = spawnSync(...inImage(image, { PORT: String(port) }, image.healthcheck));
    assert.equal(healthy.status, 0, 'the health check fails while the service runs');
    await stopped(service, image, log);
    const unhealthy = spawnSync(...inImage(image, { PORT: String(port) }, image.healthcheck));
    assert.notEqual(unhealthy.status, 0, 'the health check succeeds although the service is stopped');
    log('The health check reflects whether the service is running.');
  } finally {
    service.child.kill('SIGKILL');
    await database.stop();
  }
}

function refusesWithout(image, log) {
  const { status, stderr } = spawnSync(...inImage(image, {}, image.entrypoint));
  assert.equal(status, 1);
  const names = String(stderr)
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0]);
  assert.deepEqual(names, ['DATABASE_URL', 'SECRETS_KEY', 'SMTP_URL']);
  log(`Without variables, the service exits with 1 and asks for ${names.join(', ')}.`);
}

/** Who it is and what it could write to. */
function standing({ pid }, { user }, log) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [uid, gid] = user.split(':');
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
  assert.match(status, new RegExp(`^Gid:\\t${gid}\\t`, 'm'));
  assert.match(status, /^CapEff:\t0+$/m);
  // The mount that its root lies on.
  const mounted = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const root = mounted.findLast(([, , , , at]) => at === '/');
  assert.ok(root?.[5].split(',').includes('ro'), 'the root is not mounted read-only');
  log(`The service runs as user ${uid} without capabilities, and its root is mounted read-only.`);
}

async function used(url, service, log) {
  const key = /\b\w+_sk_\w+/.exec(service.output())?.[0];
  assert.ok(key, 'the first start shows no platform key');
  const call = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const statuses = {};
  const calls = [
    ['POST', '/v1/organizations', { name: 'Acme', slug: 'acme' }],
    ['POST', '/v1/organizations/acme/users', { email: 'ada@example.com' }],
    ['GET', '/v1/organizations/acme/users'],
    ['POST', '/v1/organizations/acme/webhooks', { url: 'https://example.com/', events: ['*'] }],
    ['GET', '/v1/organizations/acme/events'],
    ['GET', '/dashboard'],
    ['GET', '/docs'],
    ['GET', '/docs/guide'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/errors/forbidden'],
    ['GET', '/metrics'],
    ['GET', '/dev/mailbox'],
  ];
  for (const [method, path, body] of calls) statuses[`${method} ${path}`] = (await call(method, path, body)).status;
  const wanted = calls.map(([method, path]) => [
    `${method} ${path}`,
    path === '/dev/mailbox' ? 404 : path.startsWith('/v1') && method === 'POST' ? 201 : 200,
  ]);
  assert.deepEqual(statuses, Object.fromEntries(wanted));
  const page = (await call('GET', '/dashboard')).text;
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  assert.equal((await call('GET', script)).status, 200, 'the script of the pages is missing');
  log(`The service answers ${calls.length + 1} requests for API, pages and documentation.`);
}

async function stopped(service, { stopSignal }, log) {
  const startedAt = performance.now();
  process.kill(service.pid, stopSignal);
  const [code] = await service.exited;
  assert.equal(code, 0, `the service exits with ${code} after ${stopSignal}:\n${service.output()}`);
  log(`After ${stopSignal}, the service exits with 0 in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** What spawn takes to run a command as the image would, with the variables given and those of the image. */
function inImage({ root, user, workdir, variables }, given, command) {
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...variables, ...given };
  return [
    'unshare',
    ['--mount', '--propagation', 'private', 'bash', '--norc', '-ec', START, root, user, workdir, ...command],
    { env },
  ];
}

function start(image, given) {
  const child = spawn(...inImage(image, given, image.entrypoint));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (some) => (text += some));
  return { child, pid: child.pid, exited: once(child, 'exit'), output: () => text };
}

async function ready(url, service) {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline; await sleep(200)) {
    if (service.child.exitCode !== null) break;
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok && service.output().includes('_sk_')) return;
  }
  throw new Error(`The service does not become ready:\n${service.output()}`);
}

/** A PostgreSQL of the machine's own, as a database elsewhere would be. */
async function startDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'image-check-data-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
