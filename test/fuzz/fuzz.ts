import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createFixtures, type Fixtures } from '../contract/fixtures.js';
import { startApp, type TestApp } from '../support/app.js';
import { openSession } from '../support/signed-in.js';
import { startTestPostgres, stopTestPostgres } from '../support/test-postgres.js';
import { schemathesisProgram } from './schemathesis-program.js';

/*
 * npm run test:fuzz: Schemathesis sends requests that the OpenAPI document allows, and many that it forbids, until it has this
 * number of responses. The first failure ends the run, with its seed and how to repeat it.
 */
const REQUESTS = Number(process.env['REQUESTS'] ?? 20_000);
/** The number of requests in chains of OpenAPI links. Each request of a chain uses IDs of an earlier response. */
const IN_CHAINS = REQUESTS / 10;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The number of organizations. Each organization has one resource of each kind. */
const ORGANIZATIONS = 30;
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/fuzz');

process.chdir(ROOT);
mkdirSync(FOLDER, { recursive: true });
const program = await schemathesisProgram();
await startTestPostgres();
const app = await startApp({ rateLimit: 0, trustProxy: ['127.0.0.1'] });
const responses = countResponses(app);
const fixtures: Fixtures[] = [];
while (fixtures.length < ORGANIZATIONS) fixtures.push(await createFixtures(app));
writeDictionaries(fixtures);
const sessionServer = await startSessionServer(app, fixtures);

let isSuccessful = true;
let seed = SEED;
// Schemathesis ends the chains of a round when the response to a repeated request differs, for example because a slug is used. A new
// round then begins.
while (isSuccessful && responses.total() < IN_CHAINS) isSuccessful = await fuzz(seed++, '--phases=stateful');
while (isSuccessful && responses.total() < REQUESTS) isSuccessful = await fuzz(seed++);
isSuccessful &&= responses.total((status) => status >= 500) === 0;
console.log(`${responses.total()} responses, by status: ${responses.shown()}. ${isSuccessful ? 'No failure.' : 'FAILED'}`);

sessionServer.close();
await app.close();
await stopTestPostgres();
process.exit(isSuccessful ? 0 : 1);

/** Runs Schemathesis with the options. Returns true if Schemathesis found no failure. */
async function fuzz(seed: number, ...options: readonly string[]): Promise<boolean> {
  const target = [`${app.url}/openapi.json`, '--url', app.url, '--seed', String(seed)];
  const child = spawn(
    program,
    ['--config-file', 'test/fuzz/schemathesis.toml', 'run', ...target, ...options, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        PYTHONPATH: import.meta.dirname,
        PLATFORM_KEY: app.platformKey,
        SESSION_SERVER: `http://127.0.0.1:${(sessionServer.address() as AddressInfo).port}`,
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Counts the responses of the service by status. */
function countResponses({ app }: TestApp) {
  const counts = new Map<number, number>();
  const server = app.getHttpServer();
  server.on('request', (_: IncomingMessage, response: ServerResponse) =>
    response.once('close', () => counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1)),
  );
  return {
    total: (counted: (status: number) => boolean = () => true): number =>
      [...counts].reduce((sum, [status, count]) => sum + (counted(status) ? count : 0), 0),
    shown: (): string =>
      [...counts]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
  };
}

/** Writes existing IDs for parameters and fields. With only random IDs, every response would be 404. */
function writeDictionaries(of: readonly Fixtures[]): void {
  for (const name of ['organization', 'user', 'role', 'webhook', 'apiKey', 'identityProvider', 'event'] as const)
    writeFileSync(join(FOLDER, `${name}.dict`), of.map((each) => `"${each[name]}"\n`).join(''));
}

/** Starts a server that creates a session for each request about the user's own account. Such a request can end its session. */
async function startSessionServer(app: TestApp, people: readonly Fixtures[]): Promise<Server> {
  let turn = 0;
  const server = createServer((_, response) => {
    const { person, organization } = people[turn++ % people.length]!;
    openSession(app, person, { at: organization }).then(
      ({ token }) => response.end(token),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
