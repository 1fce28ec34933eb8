import { beforeAll, expect, it } from '@jest/globals';
import { generatedDocument, patternsOf } from '../support/operations.js';
import { made } from '../support/organizations.js';
import { PATHOLOGICAL_TEXTS, pathologicalRequests } from '../support/pathological-input.js';
import { testApp } from '../support/test-app.js';

/** A linear regular expression requires far less time. A backtracking expression requires far more time. */
const EXPRESSION_LIMIT_MS = 100;
const REQUEST_LIMIT_MS = 1_000;

const app = testApp();
beforeAll(async () => {
  await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' });
});

it(`each regular expression of the OpenAPI document is evaluated within ${EXPRESSION_LIMIT_MS} ms`, async () => {
  const patterns = patternsOf(await generatedDocument());
  expect(patterns.length).toBeGreaterThan(5);
  const slow: string[] = [];
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'u');
    for (const text of PATHOLOGICAL_TEXTS) {
      const startedAt = performance.now();
      expression.test(text);
      if (performance.now() - startedAt > EXPRESSION_LIMIT_MS) slow.push(`${pattern} on ${text.slice(0, 10)}…`);
    }
  }
  expect(slow).toEqual([]);
});

it(`a request with a pathological text gets a response within ${REQUEST_LIMIT_MS / 1_000} s`, async () => {
  const slow: string[] = [];
  for (const { name, statuses, send } of pathologicalRequests(app)) {
    const startedAt = performance.now();
    const { status } = await send();
    const tookMs = performance.now() - startedAt;
    expect(statuses).toContain(status);
    if (tookMs > REQUEST_LIMIT_MS) slow.push(`${name}: ${Math.round(tookMs)} ms`);
  }
  expect(slow).toEqual([]);
}, 120_000);
