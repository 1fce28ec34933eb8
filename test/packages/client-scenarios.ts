import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { at, made } from '../support/organizations.js';

/** Expectations of a scenario that only one language has. */
type OwnExpectations = Partial<Record<'resources' | 'lists' | 'errors', object>>;

/** Runs a scenario in the organization "acme" and returns the result as JSON. */
type RunScenario = (name: 'resources' | 'lists' | 'errors' | 'bodies') => Promise<unknown>;

/** Declares the tests of scenarios that the clients of all languages implement. */
export function testScenarios(app: TestApp, run: RunScenario, own: OwnExpectations = {}): void {
  it('creates, reads, updates and deletes a resource', async () => {
    expect(await run('resources')).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      late: { status: 412, code: 'precondition_failed' },
      deleted: true,
      afterDeletion: { status: 404, code: 'user_not_found' },
      ...own.resources,
    });
  });

  it('iterates over all pages of a list', async () => {
    const emails = Array.from({ length: 7 }, (_, index) => `page-${index}@example.com`);
    for (const email of emails) await made(app, at('acme', '/users'), { email });
    const newest = emails.toReversed();
    expect(await run('lists')).toMatchObject({
      emails: newest,
      first: newest.slice(0, 2),
      fromSecond: 4,
      owner: true,
      allMembers: true,
      page: [3, 7, true],
      ...own.lists,
    });
  });

  it('returns an error with the code and fields of the response', async () => {
    expect(await run('errors')).toMatchObject({
      conflict: { status: 409, code: 'slug_taken', message: expect.stringMatching(/already taken/) },
      invalid: { status: 400, code: 'validation_failed', fields: ['/email'] },
      missing: { status: 404, code: 'user_not_found', requestId: expect.stringMatching(/^req_/) },
      unauthenticated: { status: 401, code: 'unauthenticated' },
      tooEarly: { status: 410, code: 'history_unavailable', earliest: expect.stringMatching(/^20\d\d-/) },
      empty: expect.stringMatching(/"id"|parameter id/),
      badURL: expect.stringMatching(/is not a URL/),
      ...own.errors,
    });
  });

  it('imports NDJSON and CSV, and exports users', async () => {
    expect(await run('bodies')).toEqual({
      ndjson: expect.stringMatching(/"created":1/),
      csv: expect.stringMatching(/"created":2/),
      exported: 3,
    });
  });
}
