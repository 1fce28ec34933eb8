import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../test/support/free-port.ts';
import { startOwnPostgres } from '../../test/support/own-postgres.ts';
import { CONTAINER, IMAGE, podman, withStorage } from './podman.mjs';

const START_LIMIT_MS = 120_000;

// The restrictions of compose.yaml, without any writable folder.
const HARDENED = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges'];
const RUN = ['run', ...CONTAINER, ...HARDENED];

/**
 * Starts a container with only the variables that production requires, tests the service, and stops the container.
 * @throws AssertionError
 */
export async function tryImage(log) {
  assertRequiresVariables(log);
  const database = await startOwnPostgres();
  // The container has the network of this machine, where port 3000 may be in use.
  const port = await findFreePort();
  const monitoringPort = await findFreePort();
  const variables = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const environment = Object.entries({ ...variables, PORT: port, MONITORING_PORT: monitoringPort }).map(
    ([name, value]) => `--env=${name}=${value}`,
  );
  const container = podman([...RUN, '--detach', ...environment, IMAGE]);
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilReady(`http://127.0.0.1:${monitoringPort}`, container);
    log(`The service runs with only ${Object.keys(variables).join(', ')}.`);
    assertUnprivileged(container, log);
    await assertAnswers(url, container, log);
    podman(['healthcheck', 'run', container]);
    assertStops(container, log);
    assertUnhealthy(monitoringPort, log);
  } finally {
    podman(['rm', '--force', container]);
    await database.stop();
  }
}

function assertRequiresVariables(log) {
  const { status, stderr } = spawnSync('podman', withStorage([...RUN, '--rm', IMAGE]), { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  const names = [...stderr.matchAll(/^([A-Z_]+) is not set/gm)].map(([, name]) => name);
  assert.deepEqual(names, ['DATABASE_URL', 'SECRETS_KEY', 'SMTP_URL']);
  log(`Without variables, the service exits with 1 and asks for ${names.join(', ')}.`);
}

function assertUnprivileged(container, log) {
  const [pid, user] = podman(['inspect', '--format', '{{.State.Pid}} {{.Config.User}}', container]).split(' ');
  const [uid, gid] = user.split(':');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
  assert.match(status, new RegExp(`^Gid:\\t${gid}\\t`, 'm'));
  assert.match(status, /^CapEff:\t0+$/m);
  log(`The service runs as user ${uid} without capabilities, on a read-only root.`);
}

async function assertAnswers(url, container, log) {
  const lines = logsOf(container).trim().split('\n');
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), `the log has a line that is no JSON: ${line}`);
  const [, key] = /: (\S+_sk_\S+)$/m.exec(podman(['exec', container, 'node', 'dist/server/main.js', 'platform-keys', 'create']));
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text() };
  };
  const calls = [
    [201, 'POST', '/v1/organizations', { name: 'Acme', slug: 'acme' }],
    [201, 'POST', '/v1/organizations/acme/users', { email: 'ada@example.com' }],
    [200, 'GET', '/v1/organizations/acme/users'],
    [201, 'POST', '/v1/organizations/acme/webhooks', { url: 'https://example.com/', events: ['*'] }],
    [200, 'GET', '/v1/organizations/acme/events'],
    [200, 'GET', '/dashboard'],
    [200, 'GET', '/docs'],
    [200, 'GET', '/docs/guide'],
    [200, 'GET', '/openapi.json'],
    [200, 'GET', '/docs/errors/forbidden'],
    [404, 'GET', '/metrics'],
    [404, 'GET', '/dev/mailbox'],
  ];
  for (const [status, ...request] of calls) assert.equal((await call(...request)).status, status, request.join(' '));
  const page = (await call('GET', '/dashboard')).text;
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  assert.equal((await call('GET', script)).status, 200, 'the script of the pages is missing');
  log(`The service answers ${calls.length + 1} requests for API, pages and documentation.`);
}

function assertStops(container, log) {
  const startedAt = performance.now();
  podman(['stop', '--time=30', container]);
  const [code, signal] = podman(['inspect', '--format', '{{.State.ExitCode}} {{.Config.StopSignal}}', container]).split(' ');
  assert.equal(code, '0', `the service exits with ${code} after signal ${signal}:\n${logsOf(container)}`);
  log(`After signal ${signal}, the service exits with 0 in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** Runs the command of the health check in another container, because podman runs no health check in a stopped container. */
function assertUnhealthy(port, log) {
  const [, ...command] = JSON.parse(podman(['image', 'inspect', '--format', '{{json .HealthCheck.Test}}', IMAGE]));
  const args = [...RUN, '--rm', `--env=MONITORING_PORT=${port}`, `--entrypoint=${JSON.stringify(command)}`, IMAGE];
  const { status } = spawnSync('podman', withStorage(args), { stdio: 'ignore' });
  assert.equal(status, 1, 'the health check succeeds although the service is stopped');
  log('The health check reflects whether the service is running.');
}

function logsOf(container) {
  const { stdout, stderr } = spawnSync('podman', withStorage(['logs', container]), { encoding: 'utf8' });
  return stdout + stderr;
}

async function untilReady(url, container) {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline; await sleep(200)) {
    if (podman(['inspect', '--format', '{{.State.Running}}', container]) !== 'true') break;
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok && logsOf(container).includes('The service is ready.')) return;
  }
  throw new Error(`The service does not become ready:\n${logsOf(container)}`);
}
