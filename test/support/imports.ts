import type { TestApp } from './app.js';
import type { TestClient } from './http-client.js';
import { at } from './organizations.js';

export interface ImportOutcome {
  line: number;
  status: string;
  id?: string;
  error?: { code: string; message: string; pointer?: string };
  summary?: Record<string, number>;
  complete?: boolean;
  preview?: boolean;
}

/** Returns the lines of the response of an import: the results, then the summary. */
export const outcomesIn = (body: string): ImportOutcome[] => JSON.parse(`[${body.trim().replaceAll('\n', ',')}]`);

/** Imports users, by default with a platform key. Returns the result of each line and the summary. */
export async function importUsers(
  by: TestApp | { client: TestClient },
  organization: string,
  users: readonly object[],
  query = '',
): Promise<ImportOutcome[]> {
  const client = 'client' in by ? by.client : by.api.platform;
  const body = users.map((user) => JSON.stringify(user)).join('\n');
  const path = `${at(organization, '/users/import')}${query}`;
  return outcomesIn((await client.raw('POST', path, body, { 'content-type': 'application/x-ndjson' }).expect(200)).body);
}

/** Returns the status of each line, or the code and the field of its error. */
export const shortOutcomes = (outcomes: readonly ImportOutcome[]): unknown[] =>
  outcomes.slice(0, -1).map(({ status, error }) => (error ? [error.code, error.pointer] : status));
