import 'reflect-metadata';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createFixtures, type Fixtures } from '../contract/fixtures.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Listener, listenHttp } from '../support/local-receiver.js';
import { generatedDocument, operationsOf } from '../support/operations.js';
import { pythonPrograms } from '../support/python-programs.js';
import { startScim } from '../support/scim.js';
import { openSession } from '../support/signed-in.js';
import { startTestPostgres, stopTestPostgres } from '../support/test-postgres.js';
import { EventLoopBlocks } from './event-loop-blocks.js';
import { type HostileRequest, hostileRequests, type HostileTarget, pageTarget, send, targetsOf } from './hostile-requests.js';
import { PAGE_PATHS } from './hostile-values.js';
import { scimTargets } from './scim-targets.js';

/*
 * npm run test:fuzz: Schemathesis sends requests that the OpenAPI documents allow, and many that they forbid. Before that, the run sends
 * hostile values in each header, parameter and field. Ends after this number of responses, or after the first failure of Schemathesis,
 * with its seed and how to repeat it.
 */
const REQUESTS = Number(process.env['REQUESTS'] ?? 20_000);
/** The number of requests with hostile values, which Schemathesis does not generate. */
const HOSTILE = Math.ceil(REQUESTS * 0.4);
/** The number of requests of Schemathesis to SCIM. */
const TO_SCIM = REQUESTS / 10;
/** The number of requests in chains of OpenAPI links. Each request of a chain uses IDs of an earlier response. */
const IN_CHAINS = REQUESTS / 10;
/** The longest time for which a request can block the event loop on an idle machine. */
const BLOCK_LIMIT_MS = 200;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** The number of organizations. Each organization has one resource of each kind. */
const ORGANIZATIONS = 30;
const DOCUMENT = '/openapi.json';
const SCIM_DOCUMENT = '/openapi-scim.json';
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.cache/fuzz');

process.chdir(ROOT);
mkdirSync(FOLDER, { recursive: true });
const build = `import { buildWebIfStale } from './scripts/build-if-stale.mjs'; buildWebIfStale();`;
execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: ROOT, stdio: 'inherit' });
const program = join(await pythonPrograms('schemathesis', join(import.meta.dirname, 'requirements.txt')), 'schemathesis');
await startTestPostgres();
const app = await startApp({ rateLimit: 0, trustProxy: ['127.0.0.1'] });
const responses = countResponses(app);
const fixtures: Fixtures[] = [];
while (fixtures.length < ORGANIZATIONS) fixtures.push(await createFixtures(app));
writeDictionaries(fixtures);
const sessionServer = await startSessionServer(app, fixtures);
const { scim } = await startScim(app, 'Fuzzed');
const targets = await allTargets();
// The first request for a document builds it.
for (const path of [DOCUMENT, SCIM_DOCUMENT]) await app.api.anonymous.get(path).expect(200);
let hostileName: string | undefined;
const blocks = new EventLoopBlocks(
  app.app.getHttpServer(),
  ({ method, url }) => `${method} ${url?.slice(0, 150)}${hostileName === undefined ? '' : ` (${hostileName})`}`,
);

const isHostileSuccessful = await sendHostileRequests();
let isSuccessful = true;
let seed = SEED;
const scimEnd = responses.total() + TO_SCIM;
while (isSuccessful && responses.total() < scimEnd) isSuccessful = await fuzz(SCIM_DOCUMENT, seed++, '--max-examples=10');
const chainsEnd = responses.total() + IN_CHAINS;
// Schemathesis ends the chains of a round when the response to a repeated request differs, for example because a slug is used. A new
// round then begins.
while (isSuccessful && responses.total() < chainsEnd) isSuccessful = await fuzz(DOCUMENT, seed++, '--phases=stateful');
while (isSuccessful && responses.total() < REQUESTS) isSuccessful = await fuzz(DOCUMENT, seed++);
isSuccessful &&= isHostileSuccessful && responses.total((status) => status >= 500) === 0;
console.log(`Longest blocks of the event loop (limit ${BLOCK_LIMIT_MS} ms):\n${blocks.shown()}`);
isSuccessful &&= blocks.longest.every(({ ms }) => ms <= BLOCK_LIMIT_MS);
console.log(`${responses.total()} responses, by status: ${responses.shown()}. ${isSuccessful ? 'No failure.' : 'FAILED'}`);

await sessionServer.close();
await app.close();
await stopTestPostgres();
process.exit(isSuccessful ? 0 : 1);

/** Returns the operations of both documents and some pages. SCIM and the pages have few operations, so they are repeated. */
async function allTargets(): Promise<HostileTarget[]> {
  const document = await generatedDocument();
  const asset = readdirSync(join(ROOT, 'dist/apps/web/assets')).find((name) => name.endsWith('.js'));
  const pages = [...PAGE_PATHS, `/assets/${asset}`].map(pageTarget);
  return [
    ...fixtures.flatMap((each) => targetsOf(document, operationsOf(document), each)),
    ...repeated(await scimTargets(scim), fixtures.length * 2),
    ...repeated(pages, fixtures.length),
  ];
}

/** Sends hostile values. Returns true if no response is a 5xx. */
async function sendHostileRequests(): Promise<boolean> {
  const failures: string[] = [];
  for (const request of hostileRequests(targets, HOSTILE, SEED)) {
    hostileName = request.name;
    const status = await send(app.url, request, await credentialOf(request));
    if (status === 0 || status >= 500)
      failures.push(`${status} ${request.method} ${request.path.slice(0, 150)} (${request.name})\n`);
  }
  hostileName = undefined;
  console.log(`${HOSTILE} hostile requests with seed ${SEED}, ${failures.length} failures\n${failures.slice(0, 50).join('')}`);
  return failures.length === 0;
}

/** Returns a credential that is valid for the operation. A request about the user's own account can end the session. */
async function credentialOf({ path, isOwnAccount }: HostileRequest): Promise<string> {
  if (path.startsWith('/scim/')) return scim.token;
  if (!isOwnAccount) return app.platformKey;
  const { person, organization } = fixtures[0]!;
  return (await openSession(app, person, { at: organization })).token;
}

/** Runs Schemathesis with the options. Returns true if Schemathesis found no failure. */
async function fuzz(document: string, seed: number, ...options: readonly string[]): Promise<boolean> {
  const target = [`${app.url}${document}`, '--url', app.url, '--seed', String(seed)];
  const child = spawn(
    program,
    ['--config-file', 'test/fuzz/schemathesis.toml', 'run', ...target, ...options, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        PYTHONPATH: import.meta.dirname,
        PLATFORM_KEY: app.platformKey,
        SCIM_CONNECTION: scim.connectionId,
        SCIM_TOKEN: scim.token,
        SESSION_SERVER: `http://127.0.0.1:${sessionServer.port}`,
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Returns the list so many times that its items are chosen often enough. */
function repeated<T>(list: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => list).flat();
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
function startSessionServer(app: TestApp, people: readonly Fixtures[]): Promise<Listener> {
  let turn = 0;
  return listenHttp((_, response) => {
    const { person, organization } = people[turn++ % people.length]!;
    openSession(app, person, { at: organization }).then(
      ({ token }) => response.end(token),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
}
