import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResponseSchemas } from '../support/response-schemas.js';
import { startApp, type TestApp } from '../support/app.js';
import type { TestResponse } from '../support/http-client.js';
import { deliveredBody, generatedDocument, type Operation, operationsOf, pathOf } from '../support/operations.js';
import { problemCodes } from '../support/problem-codes.js';
import { openSession } from '../support/signed-in.js';
import { type RandomRequest, randomRequests, smallestRequest } from './random-requests.js';
import { createFixtures, fixtureId, type Fixtures, organizationInBody, withOrganizationFor } from './fixtures.js';
import { sized } from '../support/test-size.js';

const document = await generatedDocument();
const operations = operationsOf(document);

/** The number of random requests to each operation. */
const PER_OPERATION = sized(2, 16, 400);
const REQUESTS = PER_OPERATION * operations.length;
/** The number of random requests that are generated for one operation in one batch. */
const BATCH_SIZE = 20;
/** The number of organizations to which the random requests are sent. */
const FIXTURE_COUNT = 12;
/** The short run sends the same requests in each run: a failure means that the code changed. The long run sends new requests in each run. */
const SEED = Number(process.env['SEED'] ?? (process.env['LONG'] ? Date.now() % 1_000_000_000 : 20_260_101));
const schemas = new ResponseSchemas(document);
const codes = new Set(problemCodes());

/** Operations that accept a valid request only after requests to other operations. */
const REQUIRES_EARLIER_REQUESTS = new Set([
  // Accepts CSV or JSON lines instead of JSON.
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

/** Statuses that the HTTP layer can return for any request with a body. */
const HTTP_LAYER_STATUSES = new Set([413, 415]);

const idFor = (operation: Operation, name: string, fixtures: Fixtures): string =>
  fixtureId(operation, name, withOrganizationFor(operation, fixtures));

describe('a random request', () => {
  let app: TestApp;
  const fixtures: Fixtures[] = [];
  const acceptedByOperation = new Map<string, number>();
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
    const addressed = fixtures[request.fixtures % fixtures.length]!;
    const other = fixtures[request.otherFixtures % fixtures.length]!;
    const path = pathOf(
      operation,
      (name) => request.ids[name] ?? idFor(operation, name, name !== 'id' && request.mixesOrganizations ? other : addressed),
    );
    // A request about the user's own account can end the session. Each request gets a new session.
    const authorized = operation.isOwnAccount
      ? (await openSession(app, addressed.person, { at: addressed.organization })).client
      : app.api.platform;
    const client = { platform: authorized, nobody: app.api.anonymous, garbage: app.api.as(credential.token) }[credential.kind];
    const text = body
      ?.replaceAll('"$user"', JSON.stringify(addressed.user))
      .replaceAll('"$organization"', JSON.stringify(organizationInBody(operation, addressed)));
    return client.raw(operation.method, `${path}${query}`, operation.method === 'GET' ? undefined : text, headers);
  }

  function problemsWith({ status, headers, body }: TestResponse, { operation }: RandomRequest): string[] {
    acceptedByOperation.set(operation.id, Math.max(acceptedByOperation.get(operation.id) ?? 0, status < 300 ? 1 : 0));
    const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]!;
    if (status >= 500) return [`a ${status}`];
    if (status >= 300 && (mediaType !== 'application/problem+json' || !codes.has(body?.code) || body.status !== status))
      return ['no problem document with a known code'];
    if (headers.get('x-request-id') === null) return ['no X-Request-Id'];
    if (HTTP_LAYER_STATUSES.has(status) && operation.method !== 'GET') return [];
    return schemas.problemsOfResponse(operation, status, mediaType, body);
  }

  async function sendAndCheck(request: RandomRequest): Promise<void> {
    const response = await send(request);
    const { operation, ...rest } = request;
    for (const problem of problemsWith(response, request)) {
      const failure = `${operation.id} ${response.status}: ${problem}`;
      if (failures.has(failure)) continue;
      failures.set(failure, `${JSON.stringify(rest)} returned ${JSON.stringify(response.body)}`.slice(0, 1_500));
    }
  }

  /** Sends a valid request to each operation. Repeats a rejected request with new fixtures, because earlier requests can have removed resources. */
  async function sendSmallest(): Promise<void> {
    const addFixtures = async () => fixtures.push(await createFixtures(app)) - 1;
    const sendTo = (operation: Operation, index: number) =>
      sendAndCheck(smallestRequest(document, operation, index, fixtures[index]!));
    const shared = await addFixtures();
    for (const operation of operations) {
      await sendTo(operation, shared);
      if (isReachable(operation) && !isReached(operation)) await sendTo(operation, await addFixtures());
    }
    fixtures.splice(shared);
  }

  const isReached = ({ id }: Operation): boolean => acceptedByOperation.get(id) === 1;

  /** Returns whether the fixtures contain all resources that a valid request requires. */
  function isReachable(operation: Operation): boolean {
    const [first] = fixtures;
    const ids = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => idFor(operation, name, first!));
    // Operations without a credential require a password, a code or a link.
    return (
      operation.security?.length !== 0 &&
      !REQUIRES_EARLIER_REQUESTS.has(operation.id) &&
      ids.every((id) => Object.values(first!).includes(id))
    );
  }

  /** Sends random requests to each operation in turn. */
  async function sendRandom(): Promise<void> {
    const arbitraries = operations.map((operation) => randomRequests(document, operation));
    for (let done = 0; done < PER_OPERATION; done += BATCH_SIZE) {
      const numRuns = Math.min(BATCH_SIZE, PER_OPERATION - done);
      const samples = arbitraries.map((each, index) => fc.sample(each, { numRuns, seed: SEED + done + index }));
      for (let turn = 0; turn < numRuns; turn++) {
        for (const sample of samples) await sendAndCheck(sample[turn]!);
      }
    }
  }

  it(`gets a documented response in each of ${REQUESTS} runs`, () => {
    expect(acceptedByOperation.size).toBeGreaterThan(0);
    // The same SEED generates the same requests, except for IDs that the service generates.
    expect({ SEED, failures: [...failures].slice(0, 20) }).toEqual({ SEED, failures: [] });
  });

  it('is accepted at least once by each reachable operation', () => {
    const reachable = operations.filter(isReachable);
    expect(reachable.length).toBeGreaterThan(80);
    expect(reachable.filter((operation) => !isReached(operation)).map(({ id }) => id)).toEqual([]);
  });

  it('publishes only events that match the OpenAPI document', async () => {
    const rows = await app.database.query<{ type: string; payload: string }>('SELECT type, payload FROM events');
    const wrong = rows.flatMap(({ type, payload }) => {
      const { schema } = deliveredBody(document, type);
      return schemas.problems(type, schema, JSON.parse(payload)).map((problem) => `${type} ${problem}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
    expect(new Set(rows.map(({ type }) => type)).size).toBeGreaterThan(8);
  });
});
