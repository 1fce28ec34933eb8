import { get } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { eventsDuring } from '../support/events-during.js';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { at, made, newAddress, newOrganization, newUser } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

/** Twice as many lines, more than the buffers of the connection hold. */
const MEMBERS = sized(12_000, 20_000, 20_000);
const FORMULA = /^[=+\-@\t\r]/;
const LONG_TEST_MS = 120_000;

describe('the access report', () => {
  const app = testApp();
  let root: TestBody;
  let child: TestBody;
  let owner: SignedIn;
  let admin: string;
  let custom: TestBody;

  const report = async (org: string, { key = app.platformKey, query = '' } = {}): Promise<{ text: string; headers: Headers }> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${app.url}${at(org, `/access-report${query}`)}`, { headers });
    const text = await response.text();
    expect([response.status, response.status === 200 ? '' : text]).toEqual([200, '']);
    return { text, headers: response.headers };
  };
  const parsed = (text: string): TestBody[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const linesOf = async (org: string, options = {}): Promise<TestBody[]> => parsed((await report(org, options)).text);
  const of = (lines: readonly TestBody[], id: string): TestBody[] => lines.filter((line) => line.id === id);
  const addUser = async (org: string, fields: object = {}): Promise<string> =>
    (await made(owner.client, at(org, '/users'), { email: newAddress(), ...fields })).id;
  const addMember = async (org: string): Promise<string> => (await newUser(app, org)).id;

  beforeAll(async () => {
    root = await newOrganization(app, { name: 'Acme' });
    child = await newOrganization(app, { name: 'Acme Berlin', parentId: root.id });
    owner = await signedIn(app, root.id, { roles: ['owner'] });
    custom = await made(app, at(root.id, '/roles'), { name: 'billing', permissions: ['invoices:read', 'invoices:pay'] });
    admin = await addUser(child.id, { firstName: '=1+1', lastName: 'Formula', roles: ['admin', custom.id] });
  });

  it('has one line for each role, with its permissions and the person who assigned it, first those of the organization, then those of ancestors', async () => {
    expect(of(await linesOf(child.id), admin)).toMatchObject([
      { roleId: custom.id, role: 'billing', permissions: ['invoices:read', 'invoices:pay'] },
      {
        kind: 'user',
        email: expect.stringContaining('@example.com'),
        name: '=1+1 Formula',
        status: 'pending',
        roleId: 'role_admin',
        permissions: expect.arrayContaining(['users:*', 'organizations:read']),
        source: 'assignment',
        inherited: false,
        organizationId: child.id,
        organizationName: 'Acme Berlin',
        assignedBy: { type: 'user', id: owner.id, email: owner.email },
        expiresAt: null,
        lastUsedAt: null,
        group: null,
      },
    ]);
    const lines = await linesOf(child.id);
    const [inherited] = of(lines, owner.id);
    expect(inherited).toMatchObject({
      inherited: true,
      organizationId: root.id,
      organizationName: 'Acme',
      permissions: ['*'],
      assignedBy: { type: 'api', id: expect.stringMatching(/^key_/), email: null },
    });
    expect(Date.parse(inherited.lastUsedAt)).toBeGreaterThan(Date.now() - 3_600_000);
    expect(lines.map((line) => line.inherited)).toEqual(lines.map((line) => line.inherited).toSorted());
    expect(of(await linesOf(root.id), admin)).toEqual([]);
  });

  it('has API keys with their scopes, but no revoked keys', async () => {
    const keys = at(child.id, '/api-keys');
    const newKey = async (name: string) => await made(owner.client, keys, { name, scopes: ['users:read'] });
    const [{ id, key }, revoked] = [await newKey('backend'), await newKey('old')];
    await owner.client.delete(`${keys}/${revoked.id}`).expect(204);
    await app.api.as(key).get(at(child.id, '/users')).expect(200);
    const find = async () => of(await linesOf(child.id), id)[0]!;
    while ((await find()).lastUsedAt === null);

    expect(await find()).toMatchObject({
      kind: 'api_key',
      email: null,
      name: 'backend',
      status: 'active',
      role: null,
      permissions: ['users:read'],
      source: 'scopes',
      assignedBy: { type: 'user', id: owner.id, email: owner.email },
    });
    expect(of(await linesOf(child.id), revoked.id)).toEqual([]);
  });

  it('has break-glass access with its end, and the roles of groups for their active members', async () => {
    const { id: org } = await newOrganization(app);
    const requester = await signedIn(app, org, { roles: ['admin'] });
    const request = { reason: 'Production is down', durationSeconds: 600 };
    const { body } = await requester.client.post(at(org, '/break-glass'), request).expect(201);
    await app.api.platform.post(at(org, `/break-glass/${body.data.id}/approve`)).expect(200);

    const lines = of(await linesOf(org), requester.id);
    expect(lines).toMatchObject([
      { source: 'assignment', role: 'admin' },
      { source: 'break_glass', role: 'owner', permissions: ['*'], status: 'active', assignedBy: { type: 'api' } },
    ]);
    expect(Date.parse(lines[1].expiresAt)).toBeGreaterThan(Date.now());
    const [ada, bob, gone] = [await addMember(org), await addMember(org), await addMember(org)];
    const { id } = await made(app, at(org, '/groups'), { name: 'Readers' });
    for (const roleId of ['viewer', 'admin']) await made(app, at(org, `/groups/${id}/roles`), { roleId });
    await app.api.platform.post(at(org, `/groups/${id}/members`), { userIds: [ada, bob, gone] }).expect(200);
    await app.api.platform.delete(at(org, `/users/${gone}`)).expect(204);
    const below = (await newOrganization(app, { parentId: org })).id as string;
    for (const organization of [org, below]) {
      const lines = (await linesOf(organization)).filter(({ source }) => source === 'group');
      expect(lines.map((line) => [line.id, line.roleId])).toEqual(
        [ada, bob].flatMap((user) => ['role_admin', 'role_viewer'].map((role) => [user, role])),
      );
      const inherited = organization === below;
      expect(lines[0]).toMatchObject({ inherited, organizationId: org, groupId: id, assignedBy: { type: 'api' } });
    }
    expect((await report(org, { query: '?format=csv' })).text).toContain(`,${id},Readers`);
  });

  it('has guests with the data of their own tenant, and no deleted users', async () => {
    const host = await newOrganization(app);
    await made(app, at(host.id, '/members'), { userId: admin, role: 'viewer' });
    const [deleted, purged] = [await addUser(child.id), await addUser(child.id)];
    await app.api.platform.delete(at(child.id, `/users/${deleted}`)).expect(204);
    await app.api.platform.delete(at(child.id, `/users/${purged}?permanent=true`)).expect(204);

    expect(await linesOf(host.id)).toMatchObject([{ id: admin, name: '=1+1 Formula', role: 'viewer' }]);
    const lines = await linesOf(child.id);
    expect([...of(lines, deleted), ...of(lines, purged)]).toEqual([]);
  });

  it('names the user who replaced a role or imported a user', async () => {
    await made(app, at(root.id, '/roles'), { name: 'first', permissions: ['invoices:read'] });
    const person = await newUser(app, root.id, { roles: ['first'] });
    await owner.client.delete(at(root.id, `/roles/first?reassignTo=viewer`)).expect(204);
    const email = newAddress();
    const type = { 'content-type': 'application/x-ndjson' };
    await owner.client.raw('POST', at(root.id, '/users/import'), `${JSON.stringify({ email })}\n`, type).expect(200);

    const lines = await linesOf(root.id);
    expect(of(lines, person.id)).toMatchObject([{ role: 'viewer', assignedBy: { type: 'user', id: owner.id } }]);
    expect(lines.find((line) => line.email === email)).toMatchObject({ role: 'member', assignedBy: { id: owner.id } });
    const forget = 'UPDATE role_assignments SET assigned_by_type = NULL, assigned_by_id = NULL WHERE user_id = $1';
    await app.database.query(forget, [person.id]);
    expect(of(await linesOf(root.id), person.id)).toMatchObject([{ assignedBy: null }]);
  });

  it('contains no spreadsheet formulas in CSV, and the same lines as NDJSON', async () => {
    const { text, headers } = await report(child.id, { query: '?format=csv' });
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const lines = await linesOf(child.id);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="access-report-${child.slug}.csv"`);
    expect(rows.map(({ id, roleId }) => [id, roleId])).toEqual(lines.map(({ id, roleId }) => [id, roleId ?? '']));
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(rows.find(({ id }) => id === admin)).toMatchObject({ name: "'=1+1 Formula", assignedByEmail: owner.email });
  });

  /** `as-of.spec.ts` compares the roles and people. */
  it('has the API keys of a past moment', async () => {
    const { id: org } = await newOrganization(app);
    const keys = at(org, '/api-keys');
    const revoked = await made(app, keys, { name: 'revoked', scopes: ['users:read'] });
    const { text: then } = await report(org);
    const asOf = await momentOf(app.database);
    await app.api.platform.delete(`${keys}/${revoked.id}`).expect(204);
    await made(app, keys, { name: 'new', scopes: ['users:read'] });

    const events = await eventsDuring(app, async () => {
      expect((await report(org, { query: `?asOf=${asOf}` })).text).toBe(then);
      const csv = await report(org, { query: `?format=csv&asOf=${asOf}` });
      expect(parse(csv.text, { columns: true })).toMatchObject([{ name: 'revoked' }]);
    });
    expect(events.map(({ data }) => data)).toEqual([
      { format: 'ndjson', asOf },
      { format: 'csv', asOf },
    ]);
  });

  it('hides the people of an ancestor, also a previous one, that the caller cannot read', async () => {
    const viewer = await signedIn(app, child.id, { roles: ['viewer'] });
    const lines = await linesOf(child.id, { key: viewer.token });
    expect(of(lines, owner.id)).toMatchObject([{ inherited: true, role: 'owner', email: null, name: null, lastUsedAt: null }]);
    expect(JSON.stringify(lines.filter((line) => line.inherited))).not.toContain('@');
    expect(of(lines, admin)[0]).toMatchObject({ email: expect.stringContaining('@') });

    const [from, to] = [await newOrganization(app, { parentId: root.id }), await newOrganization(app, { parentId: root.id })];
    await addUser(from.id, { roles: ['admin'] });
    const moved = await newOrganization(app, { parentId: from.id });
    const asOf = await momentOf(app.database);
    await app.api.platform.post(at(moved.id, '/move'), { parentId: to.id }).expect(200);
    // The caller can read the present ancestor, not the previous one, of which the report shows nothing.
    const { token: key } = await signedIn(app, to.id, { roles: ['viewer'] });
    const inherited = (await linesOf(moved.id, { key, query: `?asOf=${asOf}` })).filter(
      (line) => line.organizationId === from.id,
    );
    expect(inherited).toEqual([]);
  });

  it(
    `streams ${MEMBERS} members as fast as the client reads`,
    async () => {
      const { id } = await newOrganization(app);
      await insertMembers(id);
      const last = `usr_${String(MEMBERS).padStart(26, '0')}`;
      const hideLast = `UPDATE role_assignments SET user_status = 'deleted' WHERE tenant_id = $1 AND user_id = $2`;
      const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        const headers = { authorization: `Bearer ${app.platformKey}` };
        get(`${app.url}${at(id, '/access-report')}`, { headers }, resolve).on('error', reject);
      });
      let text = '';
      for await (const chunk of response) {
        // The service has not read the last member yet, because the client has read only the first lines.
        if (text === '') await app.database.query(hideLast, [id, last]);
        text += chunk;
      }
      const keys = parsed(text).map((line) => `${line.id} ${line.roleId}`);
      expect(keys).toHaveLength(2 * (MEMBERS - 1));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toEqual(keys.toSorted());
    },
    LONG_TEST_MS,
  );

  async function insertMembers(tenantId: string): Promise<void> {
    const members = `(SELECT $1::text AS tenant_id, 'usr_' || lpad(n::text, 26, '0') AS id FROM generate_series(1, ${MEMBERS}) n) m`;
    for (const sql of [
      `INSERT INTO users (tenant_id, id, organization_id, email, email_key, status, created_at, updated_at)
       SELECT m.tenant_id, m.id, $1, m.id || '@example.com', m.id || '@example.com', 'active', now(), now() FROM ${members}`,
      `INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
       SELECT m.tenant_id, $1, m.id, $1, 'role_admin', true, now(), now() FROM ${members}`,
      `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
       SELECT m.tenant_id, $1, m.id, r, false, 'active', now() FROM ${members}, unnest(ARRAY['role_admin', 'role_viewer']) r`,
    ])
      await app.database.query(sql, [tenantId]);
  }
});
