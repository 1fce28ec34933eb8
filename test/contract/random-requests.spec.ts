import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerSchemas } from '../support/answer-schemas.js';
import { startApp, type TestApp } from '../support/app.js';
import type { TestResponse } from '../support/http-client.js';
import { generatedDocument, operationsOf, pathOf } from '../support/operations.js';
import { problemCodes } from '../support/problem-codes.js';
import { openSession } from '../support/signed-in.js';
import { type RandomRequest, randomRequests } from './random-requests.js';
import { type Standing, standingId, standingResources } from './request-bodies.js';
import { sized } from '../support/test-size.js';

const REQUESTS = sized(500, 2_000, 50_000);
const CHUNK = 500;
/** The share of operations that so many requests may miss. */
const MISSED_SHARE = sized(1 / 2, 1 / 3, 1 / 3);
/** The short run asks the same each time, so that it fails for a change and not by chance; the long one looks for more. */
const SEED = Number(process.env['SEED'] ?? (process.env['LONG'] ? Date.now() % 1_000_000_000 : 20_260_101));
const document = await generatedDocument();
const operations = operationsOf(document);
const schemas = new AnswerSchemas(document);
const codes = new Set(problemCodes());

/** What the edge may answer to a request that could have a body, whatever the operation. */
const EDGE_STATUSES = new Set([413, 415]);

describe('random requests', () => {
  let app: TestApp;
  const standing: Standing[] = [];
  const seen = new Map<string, number>();
  const failures = new Map<string, string>();
  beforeAll(
    async () => {
      app = await startApp();
      for (let count = 0; count < 12; count++) standing.push(await standingResources(app));
      await sendAll();
    },
    REQUESTS * 60 + 120_000,
  );
  afterAll(() => app.close());

  async function send(request: RandomRequest): Promise<TestResponse> {
    const { operation, credential, query, body, headers } = request;
    const here = standing[request.standing % standing.length]!;
    const elsewhere = standing[request.elsewhere % standing.length]!;
    const path = pathOf(
      operation,
      (name) => request.ids[name] ?? standingId(operation, name, name === 'id' ? here : request.strays ? elsewhere : here),
    );
    // Such requests may end the session that they are made with.
    const entitled = operation.isOwnAccount
      ? (await openSession(app, here.person, { at: here.organization })).client
      : app.api.platform;
    const client = { platform: entitled, nobody: app.api.nobody, garbage: app.api.as(credential.token) }[credential.kind];
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
    return schemas.problemsOfAnswer(operation, status, mediaType, body);
  }

  async function sendAll(): Promise<void> {
    const requests = randomRequests(document, operations);
    for (let done = 0; done < REQUESTS; done += CHUNK) {
      for (const request of fc.sample(requests, { numRuns: CHUNK, seed: SEED + done })) {
        const answer = await send(request);
        const { operation, ...rest } = request;
        for (const problem of problemsWith(answer, request)) {
          const told = `${operation.id} ${answer.status}: ${problem}`;
          if (failures.has(told)) continue;
          failures.set(told, `${JSON.stringify(rest)} gave ${JSON.stringify(answer.body)}`.slice(0, 1_500));
        }
      }
    }
  }

  it(`answers ${REQUESTS} of them as documented`, () => {
    expect(seen.size).toBeGreaterThan(0);
    // SEED repeats them, apart from the ids that the service made.
    expect({ SEED, failures: [...failures].slice(0, 20) }).toEqual({ SEED, failures: [] });
  });

  it('reached most operations with a request that they took', () => {
    // Passwords, codes and links that open operations without a credential are not met by chance.
    const reachable = operations.filter(({ security }) => security?.length !== 0);
    const never = reachable.filter(({ id }) => seen.get(id) !== 1).map(({ id }) => id);
    expect(never.length).toBeLessThan(reachable.length * MISSED_SHARE);
  });

  it('let out only events that are as documented', async () => {
    const rows = await app.database.query<{ type: string; payload: string }>('SELECT type, payload FROM events');
    const wrong = rows.flatMap(({ type, payload }) => {
      const { schema } = document.webhooks[type]!.post.requestBody.content['application/json']!;
      return schemas.problems(type, schema, JSON.parse(payload)).map((problem) => `${type} ${problem}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
    expect(new Set(rows.map(({ type }) => type)).size).toBeGreaterThan(8);
  });
});
