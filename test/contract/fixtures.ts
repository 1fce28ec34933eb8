import { randomUUID } from 'node:crypto';
import type { TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { made, read } from '../support/organizations.js';
import { openSession, signedIn } from '../support/signed-in.js';
import type { Operation } from '../support/operations.js';
import { creationBody, CRUD_RESOURCES } from './crud-resources.js';
import { LOCAL_URL } from './request-bodies.js';

/** The collections that organizations and the platform have. */
const PLATFORM_COLLECTIONS: ReadonlySet<string> = new Set(['oauth-clients', 'oauth-resources']);

const APPLICATION = { name: 'existing', type: 'web', redirectUris: ['https://app.example.com/callback'] };

/** The IDs of existing resources for paths and bodies. */
export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

export async function createFixtures(app: TestApp) {
  const create = async (path: string, body: object): Promise<string> => (await made(app, path, body)).id;
  const organization = await create('/v1/organizations', { name: 'Existing', settings: { allowPublicSignup: true } });
  const at = `/v1/organizations/${organization}`;
  await numberedEvents(app);
  const person = await signedIn(app, organization);
  await app.database.query(
    `INSERT INTO event_subscriber_cursors (tenant_id, subscriber, position, head, stopped_at) VALUES ($1, 'crm-sync', 0, 1, now())`,
    [organization],
  );
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  await app.api.platform.patch(`${at}/password-migration`, { url: 'https://auth.example.com/', endsAt }).expect(200);
  const { key } = await made(app, `${at}/api-keys`, { name: 'receiver', scopes: ['ssf_streams:*'] });
  const { body: stream } = await app.api.as(key).post('/ssf/streams', {}).expect(201);
  const user = await create(`${at}/users`, { email: `existing-${randomUUID()}@example.com` });
  const crud: Record<string, string> = {};
  for (const resource of CRUD_RESOURCES)
    crud[resource.collection] = await create(`${at}/${resource.collection}`, creationBody(resource, { organization, user }));
  const platform: Record<string, string> = {};
  for (const resource of CRUD_RESOURCES.filter(({ collection }) => PLATFORM_COLLECTIONS.has(collection)))
    platform[resource.collection] = await create(`/v1/${resource.collection}`, creationBody(resource, { organization, user }));
  return {
    /** The ID of one resource of each collection in `CRUD_RESOURCES`. */
    crud,
    /** The ID of one resource of each collection of the platform. */
    platform,
    ssfStream: stream.stream_id as string,
    event: (await read(app, `${at}/events`))[0].id as string,
    /** The name of an event subscriber that is stopped for the organization. */
    eventSubscriber: 'crm-sync',
    person,
    /** The ID of a second session of `person`. */
    session: (await openSession(app, person, { at: organization })).sessionId,
    organization,
    newParent: await create('/v1/organizations', { name: 'New parent' }),
    user,
    applicationApproval: await create(`${at}/application-approvals`, {
      clientId: await create('/v1/oauth-clients', APPLICATION),
    }),
    role: await create(`${at}/roles`, { name: `existing ${randomUUID()}` }),
    webhook: await create(`${at}/webhooks`, { url: LOCAL_URL, events: ['*'] }),
    apiKey: await create(`${at}/api-keys`, { name: 'existing', scopes: ['users:read'] }),
    identityProvider: await create(`${at}/identity-providers`, {
      name: 'existing',
      issuer: 'https://login.example.com',
      clientId: 'existing',
    }),
    /** The ID of a token of the SCIM connection in `crud`. */
    scimToken: await create(`${at}/scim-connections/${crud['scim-connections']}/tokens`, { name: 'existing' }),
  };
}

/** Returns whether a successful request removes a resource that other requests address, or ends a session. */
export const removesFixtures = ({ id }: Operation): boolean =>
  /^(?:suspend|delete|remove|revoke|rotate|logout|changePassword)/.test(id);

/** Returns the value of a path parameter. The path segment before `{id}` determines the kind of resource. */
export function fixtureId(operation: Operation, name: string, fixtures: Fixtures): string {
  const collection =
    operation.path
      .slice(0, operation.path.indexOf(`{${name}}`))
      .split('/')
      .at(-2) ?? '';
  const idsByCollection: Record<string, string> = {
    organizations: fixtures.organization,
    users: fixtures.user,
    members: fixtures.user,
    roles: fixtures.role,
    webhooks: fixtures.webhook,
    'api-keys': fixtures.apiKey,
    events: fixtures.event,
    'event-subscribers': fixtures.eventSubscriber,
    sessions: fixtures.session,
    'identity-providers': fixtures.identityProvider,
    tokens: fixtures.scimToken,
    'application-approvals': fixtures.applicationApproval,
    'ssf-streams': fixtures.ssfStream,
    ...fixtures.crud,
    ...(operation.path.startsWith(`/v1/${collection}/`) && fixtures.platform),
  };
  return idsByCollection[collection] ?? `${name}_01kf2b8v3cf5h9r4n0j7d2q6xw`;
}
