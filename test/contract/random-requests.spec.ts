import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResponseSchemas } from '../support/response-schemas.js';
import { startApp, type TestApp } from '../support/app.js';
import type { TestResponse } from '../support/http-client.js';
import { deliveredBody, generatedDocument, type Operation, operationsOf, pathOf } from '../support/operations.js';
import { problemCodes } from '../support/problem-codes.js';
import { openSession } from '../support/signed-in.js';
import { type RandomRequest, randomRequests, smallestRequest } from './random-requests.js';
import { createFixtures, fixtureId, type Fixtures } from './fixtures.js';
import { sized } from '../support/test-size.js';

const document = await generatedDocument();
const operations = operationsOf(document);

/** Random requests to each operation. */
const PER_OPERATION = sized(2, 16, 400);
const REQUESTS = PER_OPERATION * operations.length;
/** Random requests to each operation that are generated at a time. */
const CHUNK = 20;
/** Organizations that the random requests address. */
const FIXTURE_COUNT = 12;
/** The short run sends the same requests each time, so that it fails only after a change. The long run sends other requests each time. */
const SEED = Number(process.env['SEED'] ?? (process.env['LONG'] ? Date.now() % 1_000_000_000 : 20_260_101));
const schemas = new ResponseSchemas(document);
const codes = new Set(problemCodes());

/** Operations that accept a valid request only after other requests; tests of their own cover them. */
const NEEDS_MORE = new Set([
  // Takes a table or lines instead of JSON.
  'importUsers',
  'resumeEventSubscriber',
  'revokeRole',
  'confirmTotp',
  'beginEmailCodes',
  'confirmEmailCodes',
  'beginSmsCodes',
  'confirmSmsCodes',
  'registerPasskey',
  'reauthenticateWithPassword',
  'reauthenticateWithSecondFactor',
  'renewRecoveryCodes',
  'requestBreakGlass',
  'revokeUserSession',
  'startPasswordReset',
]);

/** Statuses with which the edge can respond to a request with a body, for any operation. */
const EDGE_STATUSES = new Set([413, 415]);

describe('random requests', () => {
  let app: TestApp;
  const fixtures: Fixtures[] = [];
  const seen = new Map<string, number>();
  const failures = new Map<string, string>();
  beforeAll(
    async () => {
      app = await startApp();
      for (let count = 0; count < FIXTURE_COUNT; count++) fixtures.push(await createFixtures(app));
      await sendSmallest();
      await sendRandom();
    },
    REQUESTS * 60 + 120_000,
  );
  afterAll(() => app.close());

  async function send(request: RandomRequest): Promise<TestResponse> {
    const { operation, credential, query, body, headers } = request;
    const here = fixtures[request.fixtures % fixtures.length]!;
    const elsewhere = fixtures[request.elsewhere % fixtures.length]!;
    const path = pathOf(
      operation,
      (name) => request.ids[name] ?? fixtureId(operation, name, name === 'id' ? here : request.strays ? elsewhere : here),
    );
    // Such requests can end their own session.
    const entitled = operation.isOwnAccount
      ? (await openSession(app, here.person, { at: here.organization })).client
      : app.api.platform;
    const client = { platform: entitled, nobody: app.api.anonymous, garbage: app.api.as(credential.token) }[credential.kind];
    const text = body
      ?.replaceAll('"$user"', JSON.stringify(here.user))
      .replaceAll('"$organization"', JSON.stringify(here.organization));
    return client.raw(operation.method, `${path}${query}`, operation.method === 'GET' ? undefined : text, headers);
  }

  function problemsWith({ status, headers, body }: TestResponse, { operation }: RandomRequest): string[] {
    seen.set(operation.id, Math.max(seen.get(operation.id) ?? 0, status < 300 ? 1 : 0));
    const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]!;
    if (status >= 500) return [`a ${status}`];
    if (status >= 300 && (mediaType !== 'application/problem+json' || !codes.has(body?.code) || body.status !== status))
      return ['no problem document with a known code'];
    if (headers.get('x-request-id') === null) return ['no X-Request-Id'];
    if (EDGE_STATUSES.has(status) && operation.method !== 'GET') return [];
    return schemas.problemsOfResponse(operation, status, mediaType, body);
  }

  async function sendAndJudge(request: RandomRequest): Promise<void> {
    const answer = await send(request);
    const { operation, ...rest } = request;
    for (const problem of problemsWith(answer, request)) {
      const told = `${operation.id} ${answer.status}: ${problem}`;
      if (failures.has(told)) continue;
      failures.set(told, `${JSON.stringify(rest)} gave ${JSON.stringify(answer.body)}`.slice(0, 1_500));
    }
  }

  /**
   * Sends a valid request to each operation, and another one with new resources where earlier requests took away what the first one needs.
   */
  async function sendSmallest(): Promise<void> {
    const addFixtures = async () => fixtures.push(await createFixtures(app)) - 1;
    const sendTo = (operation: Operation, index: number) =>
      sendAndJudge(smallestRequest(document, operation, index, fixtures[index]!));
    const shared = await addFixtures();
    for (const operation of operations) {
      await sendTo(operation, shared);
      if (isReachable(operation) && !isReached(operation)) await sendTo(operation, await addFixtures());
    }
    fixtures.splice(shared);
  }

  const isReached = ({ id }: Operation): boolean => seen.get(id) === 1;

  /** Whether a valid request is enough for the operation, and its path names only resources that exist. */
  function isReachable(operation: Operation): boolean {
    const [first] = fixtures;
    const ids = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => fixtureId(operation, name, first!));
    // Operations without a credential need a password, a code or a link.
    return (
      operation.security?.length !== 0 && !NEEDS_MORE.has(operation.id) && ids.every((id) => Object.values(first!).includes(id))
    );
  }

  /** Sends random requests to each operation in turn. */
  async function sendRandom(): Promise<void> {
    const arbitraries = operations.map((operation) => randomRequests(document, operation));
    for (let done = 0; done < PER_OPERATION; done += CHUNK) {
      const numRuns = Math.min(CHUNK, PER_OPERATION - done);
      const samples = arbitraries.map((each, index) => fc.sample(each, { numRuns, seed: SEED + done + index }));
      for (let turn = 0; turn < numRuns; turn++) {
        for (const sample of samples) await sendAndJudge(sample[turn]!);
      }
    }
  }

  it(`get the documented responses, ${REQUESTS} times`, () => {
    expect(seen.size).toBeGreaterThan(0);
    // SEED repeats them, apart from the ids that the service made.
    expect({ SEED, failures: [...failures].slice(0, 20) }).toEqual({ SEED, failures: [] });
  });

  it('reach each operation with an accepted request, unless it needs more than a valid request', () => {
    const reachable = operations.filter(isReachable);
    expect(reachable.length).toBeGreaterThan(80);
    expect(reachable.filter((operation) => !isReached(operation)).map(({ id }) => id)).toEqual([]);
  });

  it('publish only events that match the document', async () => {
    const rows = await app.database.query<{ type: string; payload: string }>('SELECT type, payload FROM events');
    const wrong = rows.flatMap(({ type, payload }) => {
      const { schema } = deliveredBody(document, type);
      return schemas.problems(type, schema, JSON.parse(payload)).map((problem) => `${type} ${problem}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
    expect(new Set(rows.map(({ type }) => type)).size).toBeGreaterThan(8);
  });
});
