import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createBigTree } from '../support/big-tree.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const ORGANIZATIONS = sized(1_000, 10_000, 10_000);
const DEPTH = 10;

/** The statements that the application sends to PostgreSQL, recorded in the driver. */
const statements: string[] = [];
const plainQuery = Client.prototype.query;
const recordingQuery = function query(this: Client, ...parameters: unknown[]) {
  const [first] = parameters as [string | { text: string }];
  statements.push(typeof first === 'string' ? first : first.text);
  return (plainQuery as (...all: unknown[]) => unknown).apply(this, parameters);
} as typeof plainQuery;

/** The end of the statement with which the guard reads the organization in the path. */
const LOOKUP_BY_KEY = 'FROM organizations o WHERE o.tenant_id = $1 AND o.id = $2 AND o.deleted_at IS NULL';

/** Returns the statements on organizations that `work` sends, except the guard's lookup of the organization in the path. */
async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = statements.length;
  await work();
  return statements
    .slice(before)
    .filter((text) => text.includes('organizations') && !text.includes('api_keys') && !text.endsWith(LOOKUP_BY_KEY));
}

describe(`a tree of ${ORGANIZATIONS} organizations`, () => {
  const app = testApp({ role: 'api' });
  let deepestId: string;

  beforeAll(async () => {
    Client.prototype.query = recordingQuery;
    // A worker process would add statements.
    ({ deepestId } = await createBigTree(app, { organizations: ORGANIZATIONS, depth: DEPTH }));
  }, 120_000);
  afterAll(() => {
    Client.prototype.query = plainQuery;
  });

  it('is read in one statement', async () => {
    const read = () => app.api.platform.get('/v1/organizations/root/hierarchy').expect(200);
    expect(await statementsDuring(read)).toHaveLength(1);
    const response = await read();
    const count = (node: { children: unknown[] }): number =>
      1 + (node.children as { children: unknown[] }[]).map(count).reduce((a, b) => a + b, 0);
    const depth = (node: { children: unknown[] }): number =>
      1 + Math.max(0, ...(node.children as { children: unknown[] }[]).map(depth));
    expect([count(response.body.data), depth(response.body.data)]).toEqual([ORGANIZATIONS, DEPTH]);
  });

  it('returns the settings of the deepest organization in one statement', async () => {
    const read = () => app.api.platform.get(`/v1/organizations/${deepestId}/settings`).expect(200);
    expect(await statementsDuring(read)).toHaveLength(1);
  });
});
