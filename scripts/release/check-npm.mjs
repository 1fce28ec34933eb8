import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const START_LIMIT_MS = 120_000;

const PROGRAM = `
import { createIdentityClient } from '@identity-service/client';
import { Webhooks } from '@identity-service/webhooks';

const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
const acme = await createIdentityClient({ baseUrl, apiKey }).createOrganization({ body: { name: 'Acme' } });
const webhooks = new Webhooks({ secret: 'secret' });
const body = JSON.stringify({ id: 'evt_1', type: 'organization.created', data: acme });
const event = await webhooks.verify(body, await webhooks.sign(body, 'evt_1'));
console.log(event.data.slug);
`;

/** Installs all packages in an empty folder, starts the server there, and calls it with the client and the command-line program. */
export async function checkNpm({ files, empty, version, commit }) {
  writeFileSync(join(empty, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(empty, 'program.mjs'), PROGRAM);
  run('npm', ['install', '--no-audit', '--no-fund', '--no-update-notifier', ...files], { cwd: empty });
  const program = (name) => join(empty, 'node_modules/.bin', name);
  const build = run(program('identity-service-server'), ['--version'], { cwd: empty }).trim();
  if (build !== `identity-service ${version} (commit ${commit.slice(0, 12)})`)
    throw new Error(`The server says that it is ${build}.`);

  const server = spawn(program('identity-service-server'), [], {
    cwd: empty,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { apiKey, baseUrl } = await addressOf(server);
    const env = { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey };
    const slug = run(process.execPath, ['program.mjs'], { cwd: empty, env }).trim();
    const cli = { IDENTITY_SERVICE_BASE_URL: baseUrl, IDENTITY_SERVICE_API_KEY: apiKey, IDENTITY_SERVICE_ORGANIZATION: slug };
    const users = run(program('identity-service'), ['users', 'list', '--json'], { cwd: empty, env: { ...env, ...cli } });
    if (slug !== 'acme' || users.trim() !== '[]') throw new Error(`The packages printed "${slug}" and "${users}".`);
  } finally {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  }
  return 'installed, server started, called';
}

/** Returns the address and the key from the last line of the server's welcome text. */
async function addressOf(server) {
  const timeout = AbortSignal.timeout(START_LIMIT_MS);
  let text = '';
  server.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  for (;;) {
    const match = /curl -H "Authorization: Bearer (\S+)" (\S+)\/v1/.exec(text);
    if (match) return { apiKey: match[1], baseUrl: match[2] };
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}:\n${text}`);
    await once(server.stdout, 'data', { signal: timeout });
  }
}
