import { randomUUID } from 'node:crypto';
import type { TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { type Document, type Operation, plainSchema, type Schema } from '../support/operations.js';

/** Resources that stand, to name in paths and bodies. */
export interface Standing {
  organization: string;
  user: string;
  role: string;
  webhook: string;
  apiKey: string;
  identityProvider: string;
  event: string;
  /** Stopped for the organization. */
  eventSubscriber: string;
  /** Somebody who has signed in, for what is about the own account. */
  person: SignedIn;
  /** Another session of that person. */
  session: string;
}

/** Makes an organization with one of everything. */
export async function standingResources(app: TestApp): Promise<Standing> {
  const made = async (path: string, body: object): Promise<string> =>
    (await app.api.platform.post(path, body).expect(201)).body.data.id;
  const organization = await made('/v1/organizations', { name: 'Standing', settings: { allowPublicSignup: true } });
  const at = `/v1/organizations/${organization}`;
  await numberedEvents(app);
  const person = await signedIn(app, organization);
  await app.database.query(
    `INSERT INTO event_subscriber_cursors (tenant_id, subscriber, position, head, stopped_at) VALUES ($1, 'crm-sync', 0, 1, now())`,
    [organization],
  );
  return {
    event: (await app.api.platform.get(`${at}/events`).expect(200)).body.data[0].id,
    eventSubscriber: 'crm-sync',
    person,
    session: (await openSession(app, person, { at: organization })).sessionId,
    organization,
    user: await made(`${at}/users`, { email: `standing-${randomUUID()}@example.com` }),
    role: await made(`${at}/roles`, { name: `standing ${randomUUID()}` }),
    webhook: await made(`${at}/webhooks`, { url: LOCAL_URL, events: ['*'] }),
    apiKey: await made(`${at}/api-keys`, { name: 'standing', scopes: ['users:read'] }),
    identityProvider: await made(`${at}/identity-providers`, {
      name: 'standing',
      issuer: 'https://login.example.com',
      clientId: 'standing',
    }),
  };
}

/** Nothing listens there, and no name has to be looked up. */
export const LOCAL_URL = 'https://127.0.0.1:9/hooks';

/** The value of a path parameter that names what stands; the document says by the path what an `{id}` is. */
export function standingId(operation: Operation, name: string, standing: Standing): string {
  const before =
    operation.path
      .slice(0, operation.path.indexOf(`{${name}}`))
      .split('/')
      .at(-2) ?? '';
  const byPlace: Record<string, string> = {
    organizations: standing.organization,
    users: standing.user,
    members: standing.user,
    roles: standing.role,
    webhooks: standing.webhook,
    'api-keys': standing.apiKey,
    events: standing.event,
    'event-subscribers': standing.eventSubscriber,
    sessions: standing.session,
    'identity-providers': standing.identityProvider,
  };
  return byPlace[before] ?? `${name}_01kf2b8v3cf5h9r4n0j7d2q6xw`;
}

/** A body of only what is required: from the examples of the document, except what must be new or must exist. */
export function smallestBody(document: Document, schema: Schema, standing: Standing): Record<string, unknown> {
  const { properties = {}, required = [] } = plainSchema(document, schema);
  return Object.fromEntries(required.map((name) => [name, valueOf(document, name, properties[name]!, standing)]));
}

function valueOf(document: Document, name: string, schema: Schema, standing: Standing): unknown {
  const special: Record<string, unknown> = {
    email: `user-${randomUUID()}@example.com`,
    name: `name ${randomUUID()}`,
    userId: standing.user,
    organization: standing.organization,
    roleId: 'role_viewer',
    url: LOCAL_URL,
  };
  if (name in special) return special[name];
  const plain = plainSchema(document, schema);
  if (plain.type === 'object') return smallestBody(document, schema, standing);
  if (plain.type === 'array' && plain.items?.$ref) return [smallestBody(document, plain.items, standing)];
  if (schema.example === undefined) throw new Error(`The required field ${name} has no example.`);
  return schema.example;
}
