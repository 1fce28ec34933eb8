import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#platform/common';
import type { Settings } from '#platform/config';
import { startApp, type TestApp } from '../../support/app.js';
import { numberedEvents } from '../../support/event-log.js';
import { identityProvider } from '../../support/oidc.js';
import { made, newOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-identity-provider.js';
import { openSession, type SignedIn, signedIn } from '../../support/signed-in.js';
import { creationBody, CRUD_RESOURCES } from '../crud-resources.js';
import type { MatrixRow } from './row.js';

/** The organization in the path of a request, and its child organization. The parent organization is `organizations.top`. */
export interface RequestOrganizations {
  readonly own: string;
  readonly child: string;
}

type UnusedUser = Pick<SignedIn, 'id' | 'email' | 'tenantId'>;

export interface ImpersonationState {
  readonly status: 'pending' | 'approved';
  readonly approval: 'none' | 'second_person' | 'user';
}

/** A user whose sign-in every caller with the permission can change: a caller can't change the sign-in of a user with higher privileges. */
export const WITHOUT_PERMISSIONS = { status: 'active', roles: ['bystander'] };

const IDENTITY_PROVIDER = { name: 'Existing', issuer: 'https://login.example.com', clientId: 'matrix' };

const SETTINGS = { allowPublicSignup: true };
const SETTINGS_OF_ROOT = { ...SETTINGS, mfaMethods: ['totp', 'passkey', 'email', 'sms'] };
/** The number of users that one request creates for later requests. */
const USERS_AT_ONCE = 12;

/** A running service with two tenants and existing resources. A request that deletes a resource first creates the resource. */
export class Setup {
  private readonly keys = new Map<string, Promise<string>>();
  private readonly users = new Map<string, Promise<SignedIn>>();
  private readonly sessions = new Map<string, SignedIn>();
  private readonly unused = new Map<string, Promise<UnusedUser[]>>();
  private provider?: Promise<string>;
  private counter = 0;

  private constructor(
    readonly app: TestApp,
    private readonly servers: { readonly receiver: Receiver; readonly provider: ScriptedProvider },
    readonly organizations: { readonly top: string; readonly shared: RequestOrganizations; readonly otherTenant: string },
    readonly fixtures: Record<'user' | 'role' | 'webhook' | 'delivery' | 'apiKey' | 'identityProvider' | 'event', string>,
    readonly credentials: { readonly revokedKey: string; readonly expiredKey: string; readonly suspendedSession: string },
  ) {}

  static async build(settings?: Partial<Settings>): Promise<Setup> {
    const receiver = await startReceiver(({ path }) => (path === '/logo.gif' ? { body: 'GIF89a' } : undefined));
    const provider = await startScriptedProvider({ sub: 'matrix', email: 'federated@matrix.example', email_verified: true });
    const app = await startApp(settings);
    const { platform } = app.api;
    const post = (path: string, body: object) => made(app, path, body);
    const organization = async (name: string, parentId?: string): Promise<string> =>
      (await newOrganization(app, { name, parentId, settings: parentId === undefined ? SETTINGS_OF_ROOT : SETTINGS })).id;
    const top = await organization('Matrix top');
    const own = await organization('Matrix own', top);
    const shared = { own, child: await organization('Matrix below', own) };
    const at = `/v1/organizations/${own}`;
    const user = (await post(`${at}/users`, { email: 'existing@matrix.example' })).id;
    const role = (await post(`${at}/roles`, { name: WITHOUT_PERMISSIONS.roles[0], permissions: [] })).id;
    const webhook = (await post(`${at}/webhooks`, { url: receiver.url, events: ['role.deleted'] })).id;
    const delivery = (await platform.post(`${at}/webhooks/${webhook}/test`, { eventType: 'role.deleted' }).expect(200)).body
      .deliveryId;
    const apiKey = (await post(`${at}/api-keys`, { name: 'existing', scopes: ['api_keys:write'] })).id;
    const revoked = await post(`${at}/api-keys`, { name: 'revoked', scopes: ['*'] });
    await platform.delete(`${at}/api-keys/${revoked.id}`).expect(204);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const expired = await post(`${at}/api-keys`, { name: 'expired', scopes: ['*'], expiresAt: tomorrow });
    await app.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [expired.id]);
    const identityProvider = (await post(`${at}/identity-providers`, IDENTITY_PROVIDER)).id;
    await numberedEvents(app);
    const event = (await platform.get(`${at}/events?limit=1`).expect(200)).body.data[0].id;
    const suspended = await signedIn(app, top, { roles: ['owner'] });
    await platform.post(`/v1/organizations/${top}/users/${suspended.id}/suspend`).expect(200);
    const fixtures = { event, user, role, webhook, delivery, apiKey, identityProvider };
    const otherTenant = await organization('Matrix other tenant');
    const credentials = { revokedKey: revoked.key, expiredKey: expired.key, suspendedSession: suspended.token };
    return new Setup(app, { receiver, provider }, { top, shared, otherTenant }, fixtures, credentials);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.servers.receiver.stop();
    await this.servers.provider.stop();
  }

  get logoUrl(): string {
    return `${this.servers.receiver.url}logo.gif`;
  }

  async setLogo({ own }: RequestOrganizations): Promise<void> {
    const branding = { logo: this.logoUrl };
    await this.app.api.platform.patch(`/v1/organizations/${own}`, { branding }).expect(200);
  }

  /** Returns the ID of an identity provider of the parent organization. The provider signs in every caller as one user. */
  workingProvider(): Promise<string> {
    const trust = { name: 'Working', trustedDomains: ['matrix.example'] };
    this.provider ??= identityProvider(this.app, this.organizations.top, this.servers.provider.issuer, trust).then(
      ({ id }) => id as string,
    );
    return this.provider;
  }

  /** Returns an API key of the organization with the scopes. Creates the key on the first call. */
  key(organizationId: string, scopes: readonly string[]): Promise<string> {
    const name = `${organizationId} ${scopes.join(' ')}`;
    const existing = this.keys.get(name);
    if (existing) return existing;
    const created = made(this.app, `/v1/organizations/${organizationId}/api-keys`, { name: 'matrix', scopes }).then(
      ({ key }) => key as string,
    );
    this.keys.set(name, created);
    return created;
  }

  /**
   * Returns the session token of a user with the role in the organization. A request about the user's own account can end the session, and
   * therefore gets a new session.
   */
  async sessionToken(organizationId: string, role: string, ownAccount?: MatrixRow['ownAccount']): Promise<string> {
    if (ownAccount === 'of a new user') return (await this.newSession(organizationId, role)).token;
    const user = await this.user(organizationId, role);
    return ownAccount ? (await this.open(user, organizationId)).token : user.token;
  }

  /** Returns the user with the role in the organization whose state no request changes. */
  user(organizationId: string, role: string): Promise<SignedIn> {
    const name = `${organizationId} ${role}`;
    const user = this.users.get(name) ?? signedIn(this.app, organizationId, { roles: [role] });
    this.users.set(name, user);
    return user;
  }

  async newSession(organizationId: string, role: string): Promise<SignedIn> {
    return this.open(await this.unusedUser(organizationId, { status: 'active', roles: [role] }), organizationId);
  }

  private async open(user: UnusedUser, organizationId: string): Promise<SignedIn> {
    const session = await openSession(this.app, user, { at: organizationId });
    this.sessions.set(session.token, session);
    return session;
  }

  /** Returns a user for one request. Creates several users at once, because each creation costs about as much as the request. */
  async unusedUser(organizationId: string, fields: object): Promise<UnusedUser> {
    const name = `${organizationId} ${JSON.stringify(fields)}`;
    const unused = this.unused.get(name) ?? this.importUsers(organizationId, fields);
    this.unused.set(name, unused);
    const user = (await unused).pop();
    if (user) return user;
    if (this.unused.get(name) === unused) this.unused.delete(name);
    return this.unusedUser(organizationId, fields);
  }

  private async importUsers(organizationId: string, fields: object): Promise<UnusedUser[]> {
    const emails = Array.from({ length: USERS_AT_ONCE }, () => `matrix-${++this.counter}@matrix.example`);
    const lines = emails.map((email) => JSON.stringify({ email, ...fields })).join('\n');
    const path = `/v1/organizations/${organizationId}/users/import`;
    await this.app.api.platform.raw('POST', path, lines, { 'content-type': 'application/x-ndjson' }).expect(200);
    return this.app.database.query<UnusedUser>(`SELECT id, email, tenant_id AS "tenantId" FROM users WHERE email = ANY ($1)`, [
      emails,
    ]);
  }

  signedInBy(token = ''): SignedIn | undefined {
    return this.sessions.get(token);
  }

  /** Opens a second session of the user with this session token and returns the session ID. Returns a nonexistent ID for an unknown token. */
  async openSecondSession(token = ''): Promise<string> {
    const session = this.sessions.get(token);
    return session ? (await this.open(session, this.organizations.top)).sessionId : newId('session');
  }

  /** Returns the id of the user of a session that a request about the user's own account uses. */
  userIdOf(token = ''): string {
    return this.sessions.get(token)?.id ?? this.fixtures.user;
  }

  async breakGlassRequest(organizationId: string): Promise<string> {
    const { client } = await signedIn(this.app, organizationId, { roles: ['admin'] });
    const path = `/v1/organizations/${organizationId}/break-glass`;
    return (await client.post(path, { reason: 'Fire', durationSeconds: 60 }).expect(201)).body.data.id;
  }

  /** Creates an impersonation of a user by the caller, or by another user if the caller is none. */
  async impersonation(userId: string, { status, approval }: ImpersonationState, credential?: string): Promise<string> {
    const users = await Promise.all(this.users.values());
    const caller = users.find(({ token }) => token === credential) ?? this.signedInBy(credential);
    const impersonator = status === 'approved' ? caller?.id : undefined;
    const id = newId('impersonation');
    await this.app.database.query(
      `INSERT INTO impersonations (tenant_id, id, organization_id, user_id, impersonator_tenant_id, impersonator_id, impersonator_email,
         reason, duration_seconds, approval, status, expires_at, created_at)
       SELECT tenant_id, $2, organization_id, id, tenant_id, coalesce($3, $2), 'support@matrix.example', 'Ticket', 60, $4, $5, now() + interval '1 hour', now()
       FROM users WHERE id = $1`,
      [userId, id, impersonator, approval, status],
    );
    return id;
  }

  /** Creates organizations for a request that suspends or deletes the organization. */
  async newOrganizations(): Promise<RequestOrganizations> {
    const own = await this.createOrganization(this.organizations.top);
    return { own, child: await this.createOrganization(own) };
  }

  async createOrganization(parentId: string): Promise<string> {
    return (await newOrganization(this.app, { name: `Matrix ${++this.counter}`, parentId })).id;
  }

  async createResource(resource: string, organizationId: string): Promise<string> {
    if (resource === 'users') return (await this.unusedUser(organizationId, { status: 'pending' })).id;
    return (await made(this.app, `/v1/organizations/${organizationId}/${resource}`, this.body(resource))).id;
  }

  /** Deletes a new role. Returns the ID of the delivery of `role.deleted` to the webhook of the fixtures. */
  async createDelivery(): Promise<string> {
    const { own } = this.organizations.shared;
    const role = await this.createResource('roles', own);
    await this.app.api.platform.delete(`/v1/organizations/${own}/roles/${role}`).expect(204);
    for (;;) {
      const [delivery] = await this.app.database.query<{ id: string }>(
        `SELECT d.id FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
         WHERE d.webhook_id = $1 AND d.status = 'succeeded' AND strpos(e.payload, $2) > 0`,
        [this.fixtures.webhook, role],
      );
      if (delivery) return delivery.id;
      await sleep(20);
    }
  }

  /** Returns a valid body to create the resource. The body grants no permission that the caller could lack. */
  body(resource: string): object {
    const crud = CRUD_RESOURCES.find(({ collection }) => collection === resource);
    if (crud) return creationBody(crud, { organization: this.organizations.shared.own, user: this.fixtures.user });
    const unique = `matrix-${++this.counter}`;
    const bodies: Record<string, object> = {
      users: { email: `${unique}@matrix.example` },
      roles: { name: unique, permissions: [] },
      webhooks: { url: `${this.servers.receiver.url}T0K3N-${unique}`, events: ['role.deleted'], name: unique },
      'api-keys': { name: unique, scopes: ['api_keys:write'] },
      'setup-links': { steps: ['domain'] },
      domains: { name: `${unique}.example` },
      'identity-providers': { ...IDENTITY_PROVIDER, name: unique },
    };
    return bodies[resource]!;
  }
}
