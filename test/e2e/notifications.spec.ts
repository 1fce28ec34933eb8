import { beforeAll, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_TYPES } from '#platform/notification-sources';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newOrganization } from '../support/organizations.js';
import { connectScim } from '../support/scim.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const OWN = '/v1/auth/me/notifications';
const IN_DAYS = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const OF_WEBHOOKS = ['webhook_disabled', 'webhook_failing', 'webhook_flagged'];
const ALL = NOTIFICATION_TYPES.filter((type) => type !== 'impersonation_of_you_requested').toSorted();

describe('notifications', () => {
  const app = testApp();
  let tenantId: string;
  let team: string;
  let sibling: string;
  let rootOwner: SignedIn;
  let owner: SignedIn;
  let member: SignedIn;
  let failing: string;

  const sql = (text: string, ...values: unknown[]) => app.database.query(text.replaceAll('TENANT', `'${tenantId}'`), values);
  const listed = async (client: TestClient, path = OWN): Promise<TestBody[]> => (await client.get(path).expect(200)).body.data;
  const typesOf = async (client: TestClient, path = OWN): Promise<string[]> =>
    (await listed(client, path)).map(({ type }) => type).toSorted();

  beforeAll(async () => {
    tenantId = (await newOrganization(app, { name: 'Acme' })).id;
    team = (await newOrganization(app, { name: 'Team', parentId: tenantId })).id;
    sibling = (await newOrganization(app, { name: 'Sibling', parentId: tenantId })).id;
    rootOwner = await signedIn(app, tenantId, { roles: ['owner'] });
    owner = await signedIn(app, team, { roles: ['owner'] });
    member = await signedIn(app, team, { roles: ['member', 'admin'] });
    await causeProblems();
  });

  /** Brings each resource of the team into the state of a problem, beside one that has none. */
  async function causeProblems(): Promise<void> {
    const create = async (path: string, body: object) => (await made(app, at(team, path), body)).id as string;
    const webhook = () => create('/webhooks', { url: 'https://127.0.0.1:9/', events: ['organization.deleted'] });
    failing = await webhook();
    await sql(
      `UPDATE webhook_health SET consecutive_failures = 3, failing_since = now() - interval '1 hour' WHERE webhook_id = $1`,
      failing,
    );
    await sql(`UPDATE webhooks SET enabled = false, disabled_by = 'gone', disabled_at = now() WHERE id = $1`, await webhook());
    await sql(`UPDATE webhooks SET enabled = false, disabled_by = 'hand', disabled_at = now() WHERE id = $1`, await webhook());
    await sql(`UPDATE webhooks SET flag = 'owner_deleted', flagged_at = now() WHERE id = $1`, await webhook());
    const key = (fields: object = {}) => create('/api-keys', { name: 'Key', scopes: ['users:read'], ...fields });
    await key({ expiresAt: IN_DAYS(15) });
    // The new key expires at the same time. The previous key still works, but is replaced.
    const replaced = await key({ expiresAt: IN_DAYS(13) });
    await app.api.platform.post(at(team, `/api-keys/${replaced}/rotate`), { expiresInSeconds: 3_600 }).expect(201);
    await sql(`UPDATE api_keys SET flag = 'owner_deleted', flagged_at = now() WHERE id = $1`, await key());
    const client = await create('/oauth-clients', { name: 'Billing', type: 'machine' });
    await create(`/oauth-clients/${client}/secrets`, { expiresAt: IN_DAYS(3) });
    await sql(
      `UPDATE oauth_client_secrets SET expires_at = now() + interval '1 day' WHERE client_id = $1 AND expires_at IS NULL`,
      client,
    );
    await sql(`UPDATE oauth_clients SET flag = 'owner_deleted', flagged_at = now() WHERE id = $1`, client);
    const scim = () => connectScim(app, team);
    await sql(`UPDATE scim_connections SET mode = 'stopped', stopped_at = now() WHERE id = $1`, (await scim()).connectionId);
    const isSilent = `UPDATE scim_tokens SET last_used_at = now() - interval '8 days' WHERE connection_id = $1`;
    await sql(isSilent, (await scim()).connectionId);
    const expires = `UPDATE scim_tokens SET last_used_at = now(), expires_at = now() + interval '2 days' WHERE connection_id = $1`;
    await sql(expires, (await scim()).connectionId);
    const domain = await create('/domains', { name: 'lost.example.com' });
    await create('/domains', { name: 'new.example.com' });
    await sql(`UPDATE domains SET status = 'failed', last_error = 'record_missing', failing_since = now() WHERE id = $1`, domain);
    await sql(
      `INSERT INTO application_approvals (tenant_id, id, organization_id, client_id, status, created_at, updated_at)
       VALUES (TENANT, 'aap_1', $1, 'app_1', 'pending', now(), now())`,
      team,
    );
    await sql(
      `INSERT INTO application_approval_requests (tenant_id, approval_id, user_tenant_id, user_id, email, reason, created_at)
       VALUES (TENANT, 'aap_1', TENANT, $1, $2, 'For work', now())`,
      member.id,
      member.email,
    );
    await made(member.client, at(team, '/break-glass'), { reason: 'Production is down', durationSeconds: 600 });
    for (const approval of ['second_person', 'user'])
      await sql(
        `INSERT INTO impersonations (tenant_id, id, organization_id, user_id, impersonator_tenant_id, impersonator_id, impersonator_email, reason,
           duration_seconds, approval, status, expires_at, created_at)
         VALUES (TENANT, 'imp_' || $1, $2, $3, TENANT, 'usr_' || $1, 'support@example.com', 'Ticket', 60, $1, 'pending',
           now() + interval '1 hour', now())`,
        approval,
        team,
        member.id,
      );
  }

  it('list each problem once, with the page that solves it', async () => {
    const all = await listed(owner.client);
    expect(all.map(({ type }) => type).toSorted()).toEqual(ALL);
    expect(all.find(({ type }) => type === 'webhook_failing')).toEqual({
      id: expect.stringMatching(`^webhook_failing.${failing}.`),
      type: 'webhook_failing',
      urgent: true,
      organization: { id: team, name: 'Team' },
      resource: { id: failing, name: expect.any(String) },
      reason: null,
      since: expect.any(String),
      dueAt: null,
      url: `${app.config.baseUrl}/dashboard/organizations/${team}/webhooks/${failing}`,
      readAt: null,
    });
    expect(all.find(({ type }) => type === 'api_key_expiring')).toMatchObject({ dueAt: expect.any(String) });
    expect(all.find(({ type }) => type === 'break_glass_requested')).toMatchObject({ resource: { name: member.email } });
    expect(all.find(({ type }) => type === 'domain_lost')).toMatchObject({ reason: 'record_missing' });
  });

  it('are for callers who can see and solve the problem, in their organizations and the descendants', async () => {
    const siblingOwner = await signedIn(app, sibling, { roles: ['owner'] });
    const stranger = await signedIn(app, (await newOrganization(app)).id, { roles: ['owner'] });
    const viewer = await signedIn(app, team, { roles: ['viewer'] });
    const role = async (permissions: string[]): Promise<SignedIn> => {
      const { id } = await made(app, at(team, '/roles'), { name: `Role ${permissions.length}`, permissions });
      return signedIn(app, team, { roles: [id] });
    };
    const guest = await signedIn(app, (await newOrganization(app)).id);
    await made(app, at(team, '/members'), { userId: guest.id, role: 'owner' });
    const emergency = await signedIn(app, team);
    await sql(
      `INSERT INTO break_glass_requests (tenant_id, id, organization_id, requester_tenant_id, requester_id, requester_email, reason,
         duration_seconds, status, expires_at, ends_at, created_at)
       VALUES (TENANT, 'bgr_1', $1, TENANT, $2, 'a@example.com', 'Fire', 60, 'approved', now(), now() + interval '1 hour', now())`,
      team,
      emergency.id,
    );
    expect({
      owner: await typesOf(rootOwner.client),
      guest: await typesOf(guest.client),
      emergency: await typesOf(emergency.client),
      sibling: await typesOf(siblingOwner.client),
      stranger: await typesOf(stranger.client),
      viewer: await typesOf(viewer.client),
      writesOnly: await typesOf((await role(['organizations:read', 'webhooks:write'])).client),
      webhooks: await typesOf((await role(['organizations:read', 'webhooks:read', 'webhooks:write'])).client),
      // The member asks for break-glass access, and can't decide about it.
      member: (await typesOf(member.client)).filter((type) => /break_glass|impersonation|domain/.test(type)),
    }).toEqual({
      owner: ALL,
      guest: ALL,
      emergency: ALL.filter((type) => !/^(application_approval|break_glass|impersonation)/.test(type)),
      sibling: [],
      stranger: [],
      viewer: [],
      writesOnly: [],
      webhooks: OF_WEBHOOKS,
      member: ['domain_lost', 'impersonation_of_you_requested'],
    });
  });

  it('of an organization include those of the descendants only if wanted', async () => {
    const inTree = (org: string) => at(org, '/notifications?includeDescendants=true');
    const key = await keyClient(app, tenantId, ['organizations:read', 'webhooks:*']);
    expect(await typesOf(app.api.platform, at(team, '/notifications'))).toEqual(ALL);
    expect(await typesOf(app.api.platform, at(tenantId, '/notifications'))).toEqual([]);
    expect(await typesOf(app.api.platform, inTree(tenantId))).toEqual(ALL);
    expect(await typesOf(app.api.platform, inTree(sibling))).toEqual([]);
    expect(await typesOf(key, inTree(tenantId))).toEqual(OF_WEBHOOKS);
    await key.get(OWN).expect(403, 'forbidden');
  });

  it('are unread until the user marks them, and again when the problem comes back', async () => {
    const unreadOf = async ({ client }: SignedIn) => (await listed(client)).filter(({ readAt }) => !readAt).map(({ id }) => id);
    const ids = await unreadOf(owner);
    await owner.client.post(`${OWN}/read`, { ids: [...ids.slice(1), 'webhook_failing.wh_unknown.1'] }).expect(204);
    await owner.client.post(`${OWN}/read`, { ids: ids.slice(1, 2) }).expect(204);
    expect(await unreadOf(owner)).toEqual(ids.slice(0, 1));
    expect(await unreadOf(rootOwner)).toHaveLength(ids.length);
    expect(await sql('SELECT FROM notification_reads WHERE user_id = $1', owner.id)).toHaveLength(ids.length - 1);

    await sql(`UPDATE webhook_health SET failing_since = now() WHERE webhook_id = $1`, failing);
    expect(await unreadOf(owner)).toHaveLength(2);
    await sql(`UPDATE webhook_health SET consecutive_failures = 0 WHERE webhook_id = $1`, failing);
    expect(await typesOf(owner.client)).not.toContain('webhook_failing');

    await app.api.platform.delete(at(team, `/users/${owner.id}?permanent=true`)).expect(204);
    expect(await sql('SELECT FROM notification_reads WHERE user_id = $1', owner.id)).toEqual([]);
  });

  it('of organizations whose rules the session does not satisfy are not listed', async () => {
    expect(await typesOf(rootOwner.client)).not.toEqual([]);
    await app.api.platform.patch(at(team), { settings: { requireMfa: true } }).expect(200);
    expect(await typesOf(rootOwner.client)).toEqual([]);
    expect(await typesOf(rootOwner.client, at(tenantId, '/notifications?includeDescendants=true'))).toEqual([]);
  });
});
