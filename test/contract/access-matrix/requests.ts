import { generatedDocument, type Operation, operationsOf } from '../../support/operations.js';
import { changeBody, COLLECTIONS, CRUD_RESOURCES } from '../crud-resources.js';
import { requiredQuery } from '../request-bodies.js';
import { FACTOR_ROWS } from './factor-requests.js';
import { OAUTH_ROWS } from './oauth-requests.js';
import { SSF_ROWS } from './ssf-requests.js';
import { ORGANIZATION_ROWS } from './organization-requests.js';
import { type MatrixRequest, type MatrixRow, type MatrixRows, OF_PLATFORM, onNew, open, own, sends } from './row.js';
import { SIGN_IN_ROWS } from './sign-in-requests.js';
import { USER_ROWS } from './user-requests.js';
import { WEBHOOK_ROWS } from './webhook-requests.js';
import type { RequestOrganizations, Setup } from './setup.js';

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
/** Changes of `CRUD_RESOURCES` contain no IDs. */
const NO_IDS = { organization: '', user: '' };
const OF_RESOURCE = /^\/([\w-]+)(\/\{\w+\})?(\/[\w-]+)?$/;

/** Returns the row of a read of existing resources, or undefined for an operation that requires more. */
function readOf(operation: Operation): MatrixRow | undefined {
  const { path, isOwnAccount, isPublic } = operation;
  const isInOrganization = path.startsWith(OF_ORGANIZATION);
  const rest = isInOrganization ? path.slice(OF_ORGANIZATION.length) : path;
  if (![...rest.matchAll(ID)].every(([, name = '']) => name in FIXTURES && isInOrganization)) return undefined;
  if (!isInOrganization) return isOwnAccount ? own(path) : isPublic ? open(path) : undefined;
  const query = requiredQuery(operation);
  const idOf = ({ fixtures }: Setup, name: string) => `${name}/${fixtures[FIXTURES[name]!]}`;
  return sends((setup) => `${rest.replaceAll(ID, (_, name: string) => idOf(setup, name))}?${query}`);
}

/** Returns the row of the creation of a resource, or of an operation on a new resource, or undefined. */
function ofNewResource({ method, path }: Operation): MatrixRow | undefined {
  const [, name = '', id, action] = OF_RESOURCE.exec(path.slice(OF_ORGANIZATION.length)) ?? [];
  if (!path.startsWith(OF_ORGANIZATION) || !COLLECTIONS.some(({ collection }) => collection === name)) return undefined;
  if (!id) return method === 'POST' && !action ? sends(`/${name}`, (setup) => setup.body(name)) : undefined;
  const crud = CRUD_RESOURCES.find(({ collection }) => collection === name);
  return onNew(name, action, method === 'PATCH' && crud ? () => changeBody(crud, NO_IDS) : undefined);
}

const derived = operationsOf(await generatedDocument()).flatMap((operation) => {
  const row = (operation.method === 'GET' && readOf(operation)) || ofNewResource(operation);
  return row ? [[operation.id, row] as const] : [];
});

/**
 * The rows by operation ID. The request of a row is valid for every caller with access. A row that is not listed is derived from the OpenAPI document:
 * a read, a creation, or an operation on a new resource without more requirements.
 */
const rows: MatrixRows = {
  ...Object.fromEntries(derived),
  listEventSubscribers: { ...OF_PLATFORM, request: () => ({ path: '/v1/event-subscribers' }) },
  resumeEventSubscriber: { ...OF_PLATFORM, request: stoppedSubscriber },
  ...ORGANIZATION_ROWS,
  ...WEBHOOK_ROWS,
  ...USER_ROWS,
  ...SIGN_IN_ROWS,
  ...FACTOR_ROWS,
  ...OAUTH_ROWS,
  ...SSF_ROWS,
};
export const ROWS: Readonly<Record<string, readonly MatrixRow[]>> = Object.fromEntries(
  Object.entries(rows).map(([id, each]) => [id, [typeof each === 'function' ? { request: each } : each].flat()]),
);

/** The operations that only platform keys can use. */
export const PLATFORM_OPERATIONS = Object.keys(ROWS).filter((id) => ROWS[id]!.every(({ platformOnly }) => platformOnly));

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
