import { generatedDocument, type Operation, operationsOf } from '../../support/operations.js';
import { CRUD_RESOURCES, matrixRowsOf } from '../crud-resources.js';
import { requiredQuery } from '../request-bodies.js';
import { FACTOR_ROWS } from './factor-requests.js';
import { OAUTH_ROWS } from './oauth-requests.js';
import { ORGANIZATION_ROWS } from './organization-requests.js';
import { type MatrixRequest, type MatrixRow, type MatrixRows, open, own, sends } from './row.js';
import { SIGN_IN_ROWS } from './sign-in-requests.js';
import { USER_ROWS } from './user-requests.js';
import { WEBHOOK_ROWS } from './webhook-requests.js';
import type { RequestOrganizations, Setup } from './setup.js';

const OF_OPERATORS = { withoutOrganization: true, platformOnly: true, outside: 'open' } as const;

/** The fixtures by the collection that precedes an ID in a path. */
const FIXTURES: Readonly<Record<string, keyof Setup['fixtures']>> = {
  users: 'user',
  roles: 'role',
  webhooks: 'webhook',
  deliveries: 'delivery',
  events: 'event',
  'api-keys': 'apiKey',
  'identity-providers': 'identityProvider',
};
const OF_ORGANIZATION = '/v1/organizations/{org}';
const ID = /([\w-]+)\/\{\w+\}/g;

/** Returns the row of a read of existing resources, or undefined for an operation that requires more. */
function readOf(operation: Operation): MatrixRow | undefined {
  const { method, path, isOwnAccount, security } = operation;
  const rest = path.startsWith(OF_ORGANIZATION) ? path.slice(OF_ORGANIZATION.length) : undefined;
  const areIdsKnown = [...(rest ?? path).matchAll(ID)].every(([, name = '']) => name in FIXTURES && rest !== undefined);
  if (method !== 'GET' || !areIdsKnown) return undefined;
  if (rest === undefined) return isOwnAccount ? own(path) : security?.length === 0 ? open(path) : undefined;
  const query = requiredQuery(operation);
  return sends(
    ({ fixtures }) =>
      `${rest.replaceAll(ID, (_, collection: string) => `${collection}/${fixtures[FIXTURES[collection]!]}`)}?${query}`,
  );
}

const reads = operationsOf(await generatedDocument()).flatMap((operation) => {
  const row = readOf(operation);
  return row ? [[operation.id, row] as const] : [];
});

/**
 * The rows by operation ID. The request of a row is valid for every caller with access. Rows of reads and of `CRUD_RESOURCES` are derived from the
 * OpenAPI document.
 */
const rows: MatrixRows = {
  ...Object.fromEntries(reads),
  ...Object.assign({}, ...CRUD_RESOURCES.map((resource) => matrixRowsOf(resource))),
  listEventSubscribers: { ...OF_OPERATORS, request: () => ({ path: '/v1/event-subscribers' }) },
  resumeEventSubscriber: { ...OF_OPERATORS, request: stoppedSubscriber },
  ...ORGANIZATION_ROWS,
  ...WEBHOOK_ROWS,
  ...USER_ROWS,
  ...SIGN_IN_ROWS,
  ...FACTOR_ROWS,
  ...OAUTH_ROWS,
};
export const ROWS: Readonly<Record<string, readonly MatrixRow[]>> = Object.fromEntries(
  Object.entries(rows).map(([id, each]) => [id, [typeof each === 'function' ? { request: each } : each].flat()]),
);

/** Inserts a stopped event subscriber into the database. No module of the service has a durable event handler. */
async function stoppedSubscriber({ app }: Setup, { own }: RequestOrganizations): Promise<MatrixRequest> {
  await app.database.query(
    `INSERT INTO event_subscriber_cursors (tenant_id, subscriber, position, head, stopped_at) VALUES ($1, 'crm-sync', 0, 1, now())
     ON CONFLICT (tenant_id, subscriber) DO UPDATE SET stopped_at = EXCLUDED.stopped_at`,
    [own],
  );
  return { path: '/v1/event-subscribers/crm-sync/resume', body: { organizationId: own } };
}

export function sentBody({ body, type, headers = {} }: MatrixRequest): { text?: string; headers: Record<string, string> } {
  if (body === undefined) return { headers };
  if (type !== undefined) return { text: String(body), headers: { 'content-type': type } };
  return { text: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
