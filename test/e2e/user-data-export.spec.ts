import { beforeAll, describe, expect, it } from '@jest/globals';
import { personalDataSections } from '#platform/personal-data';
import { type TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider, linkIdentity } from '../support/oidc.js';
import { keyClient, made, newAddress, newOrganization, newUser } from '../support/organizations.js';
import { userWithTotp, type WithTotp } from '../support/second-factors.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { later, login, mailedToken, PASSWORD } from '../support/sign-in.js';
import { connectScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';

const PUBLIC_KEY = 'public-key-known-to-this-test-alone';
const WEBHOOK_SECRET = 'whsec_knownToThisTestAlone0123456789abcdefghijk';
const STALE_MS = 11 * 60_000;

/** Matches columns that can identify a user: ids of users, actors, owners and callers, and addresses of people. */
const IDENTIFIES_USER =
  /^(?:user|actor|owner|requester|caller|subject|created_by|updated_by|assigned_by|decided_by|suspended_by|invited_by)(?:_id)?$|email|recipient|destination|phone|account|first_name|ip_address/;

const REFERENCE = 'Contains only the id of the user as an actor. The section `events` has the events that the user caused.';
const SHORT_LIVED =
  'The rows are deleted after at most a few hours. They contain hashes, encrypted values and counters, which are not exported.';

const COPY = 'A copy of columns of `users` and `memberships` for lists and searches.';

/** The tables that are not in the export, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  application_approvals: REFERENCE,
  directory_entries: COPY,
  directory_entries_history: COPY,
  event_redactions: 'Exists only after the permanent deletion of the user.',
  group_role_assignments: REFERENCE,
  group_role_assignments_history: REFERENCE,
  idempotency_records: SHORT_LIVED,
  mfa_challenges: SHORT_LIVED,
  mfa_enrolments: SHORT_LIVED,
  oauth_clients: REFERENCE,
  organizations: REFERENCE,
  organizations_history: REFERENCE,
  reauthentication_tries: SHORT_LIVED,
  sent_code_counts: SHORT_LIVED,
  scim_preview_users:
    'What a directory would change. Deleted when the change is applied, a new preview starts or the user is deleted permanently.',
  scim_removals: 'The time of the last suspension or deletion, which the section `events` contains.',
  ssf_removed_subjects: 'Which users a receiver of shared signals wants no events about. Deleted with the user.',
  threat_reports: 'Kept for an hour to limit reports. The report itself is in the section `events`.',
  token_hashes: 'Contains only hashes of the tokens in other tables.',
};

describe('the export of the data of a user', () => {
  const app = testApp();
  let tenantId: string;
  let org: TestBody;
  let sibling: TestBody;
  let host: TestBody;
  let owner: SignedIn;
  let person: WithTotp;
  const secrets: Record<string, string> = {};

  const at = (organization: TestBody, rest = ''): string => `/v1/organizations/${organization.id}${rest}`;
  const exportPath = (id = person.id): string => at(org, `/users/${id}/export`);

  beforeAll(async () => {
    const root = await newOrganization(app, { name: 'Acme' });
    tenantId = root.id;
    org = await newOrganization(app, { name: 'Acme Berlin', parentId: root.id });
    sibling = await newOrganization(app, { name: 'Acme Paris', parentId: root.id });
    host = await newOrganization(app, { name: 'Host' });
    owner = await signedIn(app, org.id, { roles: ['owner'] });
    person = await userWithTotp(app, org.id);
    await useEverything();
    await numberedEvents(app);
  });

  /** Stores data of the person in every section. */
  async function useEverything(): Promise<void> {
    const { platform, anonymous } = app.api;
    const client = app.api.as(person.token);
    await platform.patch(at(org, `/users/${person.id}`), { metadata: { team: 'engines' } }).expect(200);
    await owner.client.post(at(org, `/users/${person.id}/roles`), { roleId: 'role_admin' }).expect(201);
    await made(owner.client, at(org, `/users/${person.id}/impersonations`), { reason: 'Ticket', durationSeconds: 60 });
    await made(app, at(sibling, '/members'), { userId: person.id, role: 'member' });
    await made(app, at(host, '/members'), { userId: person.id, role: 'member' });
    for (const place of [org, sibling]) {
      const { id } = await made(app, at(place, '/groups'), { name: 'Engineering' });
      await platform.post(at(place, `/groups/${id}/members`), { userIds: [person.id] }).expect(200);
    }
    await client.post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: `${PASSWORD} new` }).expect(204);
    await login(app, org.id, person.email, 'wrong password').expect(401);
    await anonymous.post('/v1/auth/forgot-password', { organization: org.id, email: person.email }).expect(202);
    secrets['link'] = await mailedToken(app, person.email, 'password_reset');
    const keys = at(org, '/api-keys');
    secrets['key'] = (await made(client, keys, { name: 'mine', scopes: ['users:read'] })).key;
    const webhook = { url: 'https://127.0.0.1:9/', events: ['user.*'], secret: WEBHOOK_SECRET };
    await client.post(at(org, '/webhooks'), webhook).expect(201);
    const link = (await made(client, at(org, '/setup-links'), { steps: ['domain'] })).url;
    secrets['setupLink'] = link.slice(link.indexOf('=') + 1);
    const request = { reason: 'Production is down', durationSeconds: 600 };
    await client.post(at(org, '/break-glass'), request).expect(201);
    const provider = await identityProvider(app, org.id, 'https://login.example.com');
    await linkIdentity(app, { tenantId, id: person.id }, provider);
    await app.database.query(
      `INSERT INTO passkeys (tenant_id, id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
       VALUES ($1, 'psk_1', $2, 'credential-1', $3, 0, '{internal}', true, 'Laptop', now())`,
      [tenantId, person.id, Buffer.from(PUBLIC_KEY)],
    );
    const { id: clientId } = await made(app, at(org, '/oauth-clients'), { name: 'Billing', type: 'machine' });
    await app.database.query(
      `INSERT INTO oauth_grants (tenant_id, id, organization_id, client_tenant_id, client_id, user_tenant_id, user_id, scopes, resource_scopes,
         created_at, updated_at) VALUES ($1, 'ogrt_1', $2, $1, $3, $1, $4, '{openid}', '{}', now(), now())`,
      [tenantId, org.id, clientId, person.id],
    );
    await app.database.query(
      `INSERT INTO application_approvals (tenant_id, id, organization_id, client_id, status, created_at, updated_at)
       VALUES ($1, 'aap_1', $2, $3, 'pending', now(), now())`,
      [tenantId, org.id, clientId],
    );
    await app.database.query(
      `INSERT INTO application_approval_requests (tenant_id, approval_id, user_tenant_id, user_id, email, reason, created_at)
       VALUES ($1, 'aap_1', $1, $2, 'ada@example.com', 'For work', now())`,
      [tenantId, person.id],
    );
    await app.database.query(`INSERT INTO notification_reads VALUES ($1, $2, 'webhook_failing.wh_1.1', now())`, [
      tenantId,
      person.id,
    ]);
    const { connectionId, token } = await connectScim(app, org.id);
    secrets['scim'] = token;
    await app.database.query(
      `INSERT INTO scim_users (tenant_id, user_id, connection_id, user_name, user_name_key, email_keys, attributes, updated_at)
       VALUES ($1, $2, $3, 'ada', 'ada', '{}', '{"title": "Analyst"}', now())`,
      [tenantId, person.id, connectionId],
    );
    const { token: session, secret: seed, recoveryCodes } = person;
    Object.assign(secrets, { session, seed, recovery: recoveryCodes[0]!, password: PASSWORD, phc: '$argon2' });
    Object.assign(secrets, { publicKey: PUBLIC_KEY, webhook: WEBHOOK_SECRET, platform: app.platformKey });
  }

  it('has all sections, as JSON with the documented fields and without secrets', async () => {
    const { body, headers } = await app.api.platform.get(exportPath()).expect(200);
    const names = personalDataSections().map(({ name }) => name);

    expect(Object.keys(body)).toEqual(['exportedAt', 'userId', ...names]);
    expect(names.filter((name) => name !== 'profile' && body[name].length === 0)).toEqual([]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="user-${person.id}.json"`);
    expect(body.userId).toBe(person.id);
    expect(body.profile).toMatchObject({
      id: person.id,
      email: person.email,
      metadata: { team: 'engines' },
      mfaMethods: ['totp'],
    });
    expect(body.memberships.map(({ organizationName }: TestBody) => organizationName).toSorted()).toEqual([
      'Acme Berlin',
      'Acme Paris',
      'Host',
    ]);
    expect(body.roles).toContainEqual(
      expect.objectContaining({ organizationId: org.id, role: 'admin', assignedByType: 'user', assignedById: owner.id }),
    );
    expect(body.identities).toMatchObject([{ provider: 'Company login', externalId: 'subject-1' }]);
    expect(body.passwords).toEqual([{ changedAt: expect.stringMatching(/Z$/), replacedAt: null }]);
    expect(body.mfaFactors).toMatchObject([{ method: 'totp', destination: null }]);
    expect(body.recoveryCodes).toMatchObject([{ unused: person.recoveryCodes.length }]);
    expect(body.failedSignIns.some(({ failures }: TestBody) => failures > 0)).toBe(true);
    expect(body.apiKeys).toMatchObject([{ name: 'mine', scopes: ['users:read'] }]);
    expect(body.breakGlassRequests).toMatchObject([{ reason: 'Production is down', status: 'pending' }]);
    expect(body.messages.map(({ template }: TestBody) => template)).toEqual(
      expect.arrayContaining(['password_reset', 'invitation']),
    );
    const text = JSON.stringify(body);
    const forms = (secret: string) => [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
    const found = Object.entries(secrets).filter(([, secret]) => forms(secret).some((form) => text.includes(form)));
    expect(found.map(([name]) => name)).toEqual([]);
    expect(Object.keys(secrets)).toHaveLength(12);
    const hashes = await app.database.query<{ hash: string }>(`SELECT encode(hash, 'hex') AS hash FROM token_hashes`);
    expect(hashes.filter(({ hash }) => text.includes(hash))).toEqual([]);
    expect(text).not.toMatch(/sealed|tokenHash|passwordHash|"salt"/i);
  });

  it('has the events about the user, without the data of other users', async () => {
    const { events } = (await app.api.platform.get(exportPath()).expect(200)).body as { events: TestBody[] };
    const find = (type: string) => events.filter((event) => event.type === type);

    expect(find('role.assigned')).toContainEqual(
      expect.objectContaining({ isAboutUser: true, isCausedByUser: false, ipAddress: null, userAgent: null }),
    );
    expect(find('user.login')[0]).toMatchObject({
      isAboutUser: true,
      isCausedByUser: true,
      ipAddress: expect.stringContaining('127'),
    });
    expect(find('webhook.created')).toMatchObject([{ isAboutUser: false, isCausedByUser: true, data: null }]);
    expect(JSON.stringify(events)).not.toContain(owner.email);
    const colleague = newAddress();
    await app.api.as(person.token).post(at(org, '/users'), { email: colleague }).expect(201);
    await numberedEvents(app);
    expect(JSON.stringify((await app.api.platform.get(exportPath()).expect(200)).body)).not.toContain(colleague);
  });

  it('has earlier versions of the profile and of removed rows, in the organizations of the export', async () => {
    const { id, email } = await newUser(app, org.id, { firstName: 'First' });
    await app.api.platform.patch(at(org, `/users/${id}`), { firstName: 'Second' }).expect(200);
    for (const organization of [org, sibling]) {
      await made(app, at(organization, '/members'), { userId: id, role: 'viewer' });
      await app.api.platform.delete(at(organization, `/members/${id}`)).expect(204);
    }
    const versionsOf = async (client: { get: TestApp['api']['platform']['get'] }, section: string): Promise<TestBody[]> =>
      (await client.get(exportPath(id)).expect(200)).body.earlierVersions.filter(
        (version: TestBody) => version.section === section,
      );

    const [profile] = await versionsOf(owner.client, 'profile');
    expect(profile).toMatchObject({ data: { email, firstName: 'First', status: 'pending' } });
    expect(Date.parse(profile!.validFrom)).toBeLessThan(Date.parse(profile!.validTo));
    expect(profile!.data).not.toHaveProperty('tenantId');
    const organizationsOf = (versions: TestBody[]) => [...new Set(versions.map(({ data }) => data.organizationId))].toSorted();
    expect(organizationsOf(await versionsOf(owner.client, 'memberships'))).toEqual([org.id]);
    expect(organizationsOf(await versionsOf(owner.client, 'roles'))).toEqual([org.id]);
    expect(organizationsOf(await versionsOf(app.api.platform, 'memberships'))).toEqual([org.id, sibling.id].toSorted());
  });

  it('contains every table with data about users, or the table is excluded with a reason', async () => {
    const columns = await app.database.query<{ table: string; column: string }>(
      `SELECT c.relname AS table, a.attname AS column FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const identifying = columns.filter(({ table, column }) => table === 'users' || IDENTIFIES_USER.test(column));
    const tables = [...new Set(identifying.map(({ table }) => table))].toSorted();
    const exported = new Set(personalDataSections().flatMap((section) => section.tables));
    expect([...exported, ...Object.keys(EXCLUDED)].toSorted()).toEqual(tables);
  });

  it('has the data of a deleted user until the user is deleted permanently', async () => {
    const { id } = await newUser(app, org.id);
    await app.api.platform.delete(at(org, `/users/${id}`)).expect(204);
    expect((await owner.client.get(exportPath(id)).expect(200)).body.profile.status).toBe('deleted');
    await app.api.platform.delete(at(org, `/users/${id}?permanent=true`)).expect(204);
    await owner.client.get(exportPath(id)).expect(404);
  });

  describe('for an administrator', () => {
    it('is limited to the organizations that the administrator can read, and requires the permissions to read all sections', async () => {
      const { body } = await owner.client.get(exportPath()).expect(200);
      expect(body.memberships.map(({ organizationName }: TestBody) => organizationName)).toEqual(['Acme Berlin']);
      expect(body.events.length).toBeGreaterThan(0);
      const elsewhere = new Set([sibling.id, host.id]);
      for (const section of ['roles', 'events', 'groups', 'memberships'])
        expect(body[section].filter(({ organizationId }: TestBody) => elsewhere.has(organizationId))).toEqual([]);
      const sections = ['users', 'members', 'roles', 'sessions', 'events', 'api_keys', 'webhooks'].map((name) => `${name}:read`);
      for (const missing of sections) {
        const others = sections.filter((scope) => scope !== missing);
        await (await keyClient(app, org.id, others)).get(exportPath()).expect(403, 'forbidden', missing);
      }
    });

    it('requires every permission that the user has, and access to the organization that manages the user', async () => {
      const viewer = await signedIn(app, org.id, { roles: ['viewer'] });
      await viewer.client.get(exportPath(owner.id)).expect(403, 'forbidden', 'permissions that the caller does not have');
      const member = await signedIn(app, org.id);
      await viewer.client.get(exportPath(member.id)).expect(200);
      const hostOwner = await signedIn(app, host.id, { roles: ['owner'] });
      await hostOwner.client.get(at(host, `/users/${person.id}/export`)).expect(403, 'managed_elsewhere');
      await hostOwner.client.get(exportPath()).expect(404);
      await hostOwner.client.get(at(host, `/users/${owner.id}/export`)).expect(404);
    });
  });

  it('is available to the user, with the data of all tenants', async () => {
    const member = await signedIn(app, org.id);
    await made(app, at(host, '/members'), { userId: member.id });
    const { body } = await member.client.get('/v1/auth/me/export').expect(200);
    expect(body.memberships.map(({ organizationId }: TestBody) => organizationId).toSorted()).toEqual(
      [org.id, host.id].toSorted(),
    );
    expect(body.sessions).toMatchObject([{ id: member.sessionId, ipAddress: '203.0.113.7' }]);
    const again = () => member.client.get('/v1/auth/me/export').expect(401, 'reauthentication_required');
    await later(app, STALE_MS, again);
  });
});
