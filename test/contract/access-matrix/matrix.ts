import { newId } from '#platform/common';
import { markdownTable } from '../../support/markdown-table.js';
import type { TestResponse } from '../../support/http-client.js';
import { generatedDocument, type Operation } from '../../support/operations.js';
import { ResponseSchemas } from '../../support/response-schemas.js';
import { CALLERS, type MatrixCaller } from './callers.js';
import { ROWS, sentBody } from './requests.js';
import type { MatrixRequest, MatrixRow } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

export type Outcome = 'yes' | 'filtered' | '401' | '403' | '404';

/** Returns the expected outcome: 401 without a valid credential, 404 without access to the organization, 403 without the permission. */
export function expectedOutcome(row: MatrixRow, caller: MatrixCaller, permission = ''): Outcome {
  if (row.public) return 'yes';
  if (!caller.isAuthenticated) return '401';
  if (row.ownAccount) return caller.isUser ? 'yes' : '403';
  const hasPermission = [permission, ...(row.additionalPermissions ?? [])].every((each) => caller.hasPermission(each));
  if (row.withoutOrganization && !hasPermission) return '403';
  if (!caller.hasAccess && (row.outside ?? 'not found') === 'not found') return '404';
  if (!hasPermission) return '403';
  if (row.platformOnly && !caller.platform) return '403';
  if (!isAllowedCallerKind(row, caller)) return '403';
  return row.outside === 'filtered' && !caller.platform ? 'filtered' : 'yes';
}

function isAllowedCallerKind({ allowedCallers }: MatrixRow, caller: MatrixCaller): boolean {
  if (allowedCallers === 'approvers') return caller.hasAllPermissions === true || caller.platform === true;
  if (allowedCallers === 'users and platform' && caller.platform) return true;
  return !allowedCallers || caller.isUser === true;
}

const schemas = new ResponseSchemas(await generatedDocument());

/** The request by row that the next caller of the row repeats. Only a successful change needs new resources for the next request. */
const repeatableRequests = new WeakMap<MatrixRow, { orgs: RequestOrganizations; request: MatrixRequest }>();

/** Sends the request of the row as the caller. Returns the differences from the expected response. */
export async function problemsOfCell(
  setup: Setup,
  operation: Operation,
  row: MatrixRow,
  caller: MatrixCaller,
): Promise<string[]> {
  // Each user has a separate request for operations on the user's own account.
  const isForCaller = row.perCaller || (row.ownAccount && caller.isUser);
  const repeated = isForCaller ? undefined : repeatableRequests.get(row);
  repeatableRequests.delete(row);
  const orgs = repeated?.orgs ?? (await row.organizations?.(setup)) ?? setup.organizations.shared;
  const credential = await caller.credential(setup, orgs, operation.permission ?? 'users:read', row);
  const request = repeated?.request ?? (await row.request(setup, orgs, credential));
  const send = (changed: (text: string) => string): Promise<TestResponse> => {
    const { text, headers } = sentBody(request);
    const client = credential === undefined ? setup.app.api.anonymous : setup.app.api.as(credential);
    return client.raw(operation.method, changed(request.path), text === undefined ? undefined : changed(text), headers);
  };
  const response = await send((text) => text);
  const expected = expectedOutcome(row, caller, operation.permission);
  const { repeatable = operation.method === 'GET' } = row;
  if (!isForCaller && (response.status >= 400 || repeatable)) repeatableRequests.set(row, { orgs, request });
  const wrong = (what: string): string => `${operation.id} (${row.variant ?? 'as usual'}) by ${caller.name}: ${what}`;
  if (!hasStatus(response, expected))
    return [wrong(`expected ${expected}, got ${response.status} ${JSON.stringify(response.body)?.slice(0, 300)}`)];
  const undocumented = schemas.problemsWith(operation, response);
  if (undocumented.length > 0) return undocumented.map(wrong);
  if (expected === '401' && !response.headers.get('www-authenticate')) return [wrong('401 without WWW-Authenticate')];
  if (
    expected === '403' &&
    !row.platformOnly &&
    !row.allowedCallers &&
    !row.ownAccount &&
    ![`"${operation.permission}"`, ...(row.additionalPermissions ?? [])].some((each) => response.body.detail.includes(each))
  )
    return [wrong(`403 does not name the permission: ${response.body.detail}`)];
  if (expected === '404') {
    const hidden = request.hidden ?? orgs.own;
    const unknown = hidden.startsWith('wh_') ? newId('webhook') : newId('organization');
    const missing = await send((text) => text.replaceAll(hidden, unknown));
    if (comparable(response, hidden) !== comparable(missing, unknown))
      return [wrong(`differs from the response for a nonexistent resource:\n${show(response)}\n${show(missing)}`)];
  }
  return row.outside === 'filtered' && response.status === 200 ? listProblems(response, request, caller).map(wrong) : [];
}

function hasStatus({ status }: TestResponse, expected: Outcome): boolean {
  return expected === 'yes' || expected === 'filtered' ? status >= 200 && status < 300 : status === Number(expected);
}

function listProblems({ body }: TestResponse, { hidden }: MatrixRequest, caller: MatrixCaller): string[] {
  const items: { id: string }[] = body.data.results ?? body.data;
  const shown = items.some(({ id }) => id === hidden);
  if (shown === caller.hasAccess) return [];
  return [caller.hasAccess ? `the list lacks ${hidden}` : `the list shows ${hidden}, to which the caller has no access`];
}

const show = ({ status, body }: TestResponse): string => `${status} ${JSON.stringify(body)}`;

/** Returns the response without values that differ in each request. */
function comparable({ status, headers, body }: TestResponse, id: string): string {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'keep-alive', 'ratelimit'].includes(name));
  return JSON.stringify([status, kept, { ...body, requestId: '' }]).replaceAll(id, 'ID');
}

export function matrixPage(operations: readonly Operation[]): string {
  const header = ['Operation', 'Permission', ...CALLERS.map(({ name }) => name)];
  const lines = operations.flatMap((operation) =>
    (ROWS[operation.id] ?? []).map((row) => [
      `\`${operation.method} ${operation.path}\`${row.variant ? `, ${row.variant}` : ''}`,
      operation.permission ? `\`${operation.permission}\`` : operation.isOwnAccount ? 'own account' : 'none',
      ...CALLERS.map((caller) => expectedOutcome(row, caller, operation.permission)),
    ]),
  );
  return `${PREFACE}\n${markdownTable(header, lines)}\n`;
}

const PREFACE = `# Access matrix

The response of every API operation to every kind of caller. This page is generated from the OpenAPI document by
\`test/contract/access-matrix.spec.ts\`, which sends a valid request for every cell.

- **yes**: the operation succeeds. **filtered**: the list contains only resources that the caller can access.
- **401**: no valid credential. **403**: the caller lacks the permission that the response names, or only a platform key can do this.
- **404**: the same response as for a nonexistent resource, byte for byte except for the IDs in the request.

An API key can access its organization and all descendants. A session can access the organizations in which the user has a role, and their
descendants. "Own key" is a key of the addressed organization; to restore an organization, it is a key of the parent organization, because
the keys of a deleted organization do not work.
`;
