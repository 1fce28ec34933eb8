import type { TestApp } from '../../support/app.js';
import { generatedDocument, type Operation, operationsOf } from '../../support/operations.js';

/** The ids that exist, or existed before. */
export interface Known {
  readonly organizations: readonly string[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
}

export interface Read {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A response, as text, without the id of the request. */
export type Answer = string;

const PERMISSIONS = ['users:read', 'invoices:read', 'organizations:delete'];

/** Returns all operations of the OpenAPI document with the parameter `asOf`. */
export async function asOfOperations(): Promise<Operation[]> {
  const operations = operationsOf(await generatedDocument());
  return operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'asOf'));
}

const BODIES: Readonly<Record<string, (userId: string) => unknown>> = {
  checkPermission: (userId) => ({ userId, permission: PERMISSIONS[userId.charCodeAt(userId.length - 1) % 3] }),
  checkPermissions: (userId) => ({ checks: PERMISSIONS.map((permission) => ({ userId, permission })) }),
};
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listUsers: ['limit=100', 'limit=3&sort=-email', 'search=user&status=active', 'role=editor', 'sort=lastLoginAt&page=2&limit=4'],
  listGroups: ['limit=100', 'search=group&limit=1'],
  listGroupMembers: ['limit=100', 'search=user'],
  listMembers: ['limit=100', 'status=suspended', 'role=member&limit=2'],
};

/**
 * Returns reads of an operation for all known ids.
 * @throws Error for an operation with unknown parameters, so that no operation is forgotten
 */
export function readsOf({ id: operationId, method, path, parameters, body }: Operation, known: Known): Read[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    org: known.organizations,
    id: path.includes('/groups/{id}') ? known.groups : known.users,
    roleId: ['admin', 'editor', ...known.roles],
  };
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  let paths = [path];
  for (const name of names) {
    if (!values[name]) throw new Error(`This test has no values for {${name}} of ${operationId}.`);
    paths = paths.flatMap((each) => values[name]!.map((value) => each.replace(`{${name}}`, value)));
  }
  if (body) {
    const bodyOf = BODIES[operationId];
    if (!bodyOf) throw new Error(`This test has no body for ${operationId}.`);
    return paths.flatMap((each) => known.users.map((user) => ({ operationId, method, path: each, body: bodyOf(user) })));
  }
  return paths.flatMap((each) =>
    (QUERIES[operationId] ?? ['']).map((query) => ({ operationId, method, path: `${each}?${query}` })),
  );
}

/** Sends a read and returns the status, the `ETag` and the bytes of the body. With `asOf`, as of this moment. */
export async function answerOf(
  { url, platformKey }: Pick<TestApp, 'url' | 'platformKey'>,
  { method, path, body }: Read,
  asOf?: string,
): Promise<Answer> {
  const separator = path.includes('?') ? '&' : '?';
  const moment = asOf === undefined ? '' : `${separator}asOf=${encodeURIComponent(asOf)}`;
  const response = await fetch(url + path + moment, {
    method,
    headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // Sessions have no history, so an access report of the past shows the last sign-in instead of the last use.
  const text = (await response.text())
    .replace(/"requestId":"[^"]*"/, '')
    .replaceAll(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":null');
  return `${response.status} ${response.headers.get('etag') ?? ''} ${text}`;
}
