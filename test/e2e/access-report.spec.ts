import { get } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const MEMBERS = 20_000;
const FORMULA = /^[=+\-@\t\r]/;
const LONG_TEST_MS = 120_000;

type Line = TestBody;

describe('the access report', () => {
  const app = testApp();
  let root: TestBody;
  let child: TestBody;
  let owner: SignedIn;
  let admin: string;
  let custom: TestBody;

  const report = async (org: string, { key = app.platformKey, query = '' } = {}): Promise<{ text: string; headers: Headers }> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${app.url}/v1/organizations/${org}/access-report${query}`, { headers });
    const text = await response.text();
    expect([response.status, response.status === 200 ? '' : text]).toEqual([200, '']);
    return { text, headers: response.headers };
  };
  const linesOf = async (org: string, key?: string): Promise<Line[]> =>
    (await report(org, key === undefined ? {} : { key })).text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const of = (lines: readonly Line[], id: string): Line[] => lines.filter((line) => line.id === id);
  /** Returns the data of the events about exported reports. */
  const exportsOf = async (org: string): Promise<unknown[]> => {
    const events = await app.database.query('SELECT payload FROM events WHERE organization_id = $1 AND type = $2 ORDER BY id', [
      org,
      'organization.access_report_exported',
    ]);
    return events.map(({ payload }) => JSON.parse(payload as string).data);
  };
  const addUser = async (org: string, fields: object): Promise<string> =>
    (await owner.client.post(`/v1/organizations/${org}/users`, { email: newAddress(), ...fields }).expect(201)).body.data.id;

  beforeAll(async () => {
    root = await newOrganization(app, { name: 'Acme' });
    child = await newOrganization(app, { name: 'Acme Berlin', parentId: root.id });
    owner = await signedIn(app, root.id, { roles: ['owner'] });
    custom = await made(app, `/v1/organizations/${root.id}/roles`, {
      name: 'billing',
      permissions: ['invoices:read', 'invoices:pay'],
    });
    admin = await addUser(child.id, { firstName: '=1+1', lastName: 'Formula', roles: ['admin', custom.id] });
  });

  it('has one line for each role, with the permissions and the person who assigned the role', async () => {
    const lines = await linesOf(child.id);
    expect(of(lines, admin)).toEqual([
      expect.objectContaining({ roleId: custom.id, role: 'billing', permissions: ['invoices:read', 'invoices:pay'] }),
      {
        kind: 'user',
        id: admin,
        email: expect.stringContaining('@example.com'),
        name: '=1+1 Formula',
        status: 'pending',
        roleId: 'role_admin',
        role: 'admin',
        permissions: expect.arrayContaining(['users:*', 'organizations:read']),
        source: 'assignment',
        inherited: false,
        organizationId: child.id,
        organizationName: 'Acme Berlin',
        assignedBy: { type: 'user', id: owner.id, email: owner.email },
        assignedAt: expect.stringMatching(/Z$/),
        expiresAt: null,
        lastUsedAt: null,
        groupId: null,
        group: null,
      },
    ]);
  });

  it('has the roles that are inherited from ancestors, after the roles of the organization', async () => {
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
    expect((await report(child.id)).text).toBe((await report(child.id)).text);
  });

  it('has API keys with their scopes, but no revoked keys', async () => {
    const keys = `/v1/organizations/${child.id}/api-keys`;
    const { id, key } = (await owner.client.post(keys, { name: 'backend', scopes: ['users:read'] }).expect(201)).body.data;
    const revoked = (await owner.client.post(keys, { name: 'old', scopes: ['users:read'] }).expect(201)).body.data;
    await owner.client.delete(`${keys}/${revoked.id}`).expect(204);
    await app.api.as(key).get(`/v1/organizations/${child.id}/users`).expect(200);
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

  it('has break-glass access with its end', async () => {
    const organization = await newOrganization(app);
    await signedIn(app, organization.id, { roles: ['owner'] });
    const requester = await signedIn(app, organization.id, { roles: ['admin'] });
    const at = `/v1/organizations/${organization.id}`;
    const request = { reason: 'Production is down', durationSeconds: 600 };
    const { id } = (await requester.client.post(`${at}/break-glass`, request).expect(201)).body.data;
    await app.api.platform.post(`${at}/break-glass/${id}/approve`).expect(200);

    const lines = of(await linesOf(organization.id), requester.id);

    expect(lines.map(({ source, role }) => [source, role])).toEqual([
      ['assignment', 'admin'],
      ['break_glass', 'owner'],
    ]);
    expect(lines[1]).toMatchObject({ permissions: ['*'], status: 'active', assignedBy: { type: 'api' } });
    expect(Date.parse(lines[1].expiresAt)).toBeGreaterThan(Date.now());
  });

  it('has guests with the data of their own tenant, and no deleted users', async () => {
    const host = await newOrganization(app);
    const members = `/v1/organizations/${host.id}/members`;
    await made(app, members, { userId: admin, role: 'viewer' });
    const deleted = await addUser(child.id, {});
    const purged = await addUser(child.id, {});
    await app.api.platform.delete(`/v1/organizations/${child.id}/users/${deleted}`).expect(204);
    await app.api.platform.delete(`/v1/organizations/${child.id}/users/${purged}?permanent=true`).expect(204);

    expect(await linesOf(host.id)).toEqual([expect.objectContaining({ id: admin, name: '=1+1 Formula', role: 'viewer' })]);
    const lines = await linesOf(child.id);
    expect([...of(lines, deleted), ...of(lines, purged)]).toEqual([]);
  });

  it('names the user who replaced a role or imported a user', async () => {
    const at = `/v1/organizations/${root.id}`;
    const { id: first } = await made(app, `${at}/roles`, { name: 'first', permissions: ['invoices:read'] });
    const { id: second } = await made(app, `${at}/roles`, { name: 'second', permissions: ['invoices:read'] });
    const person = await made(app, `${at}/users`, { email: newAddress(), roles: [first] });
    await owner.client.delete(`${at}/roles/${first}?reassignTo=${second}`).expect(204);
    const email = newAddress();
    await owner.client
      .raw('POST', `${at}/users/import`, `${JSON.stringify({ email })}\n`, { 'content-type': 'application/x-ndjson' })
      .expect(200);

    const lines = await linesOf(root.id);

    expect(of(lines, person.id)).toMatchObject([{ roleId: second, assignedBy: { type: 'user', id: owner.id } }]);
    expect(lines.find((line) => line.email === email)).toMatchObject({ role: 'member', assignedBy: { id: owner.id } });
    await app.database.query('UPDATE role_assignments SET assigned_by_type = NULL, assigned_by_id = NULL WHERE user_id = $1', [
      person.id,
    ]);
    expect(of(await linesOf(root.id), person.id)).toMatchObject([{ assignedBy: null }]);
  });

  it('contains no spreadsheet formulas in CSV, and the same lines as NDJSON', async () => {
    const { text, headers } = await report(child.id, { query: '?format=csv' });
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const lines = await linesOf(child.id);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      `attachment; filename="access-report-${child.slug}.csv"`,
    ]);
    expect(rows.map(({ id, roleId }) => [id, roleId])).toEqual(lines.map(({ id, roleId }) => [id, roleId ?? '']));
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(rows.find(({ id }) => id === admin)).toMatchObject({ name: "'=1+1 Formula", assignedByEmail: owner.email });
    await app.api.platform.get(`/v1/organizations/${child.id}/access-report?format=xml`).expect(400);
  });

  describe('as of a moment', () => {
    it('has the roles, people and API keys of the moment', async () => {
      const parent = await newOrganization(app);
      await signedIn(app, parent.id, { roles: ['owner'] });
      const organization = await newOrganization(app, { name: 'Before', parentId: parent.id });
      const at = `/v1/organizations/${organization.id}`;
      const person = await signedIn(app, organization.id, { roles: ['admin'] });
      const revoked = await made(app, `${at}/api-keys`, { name: 'revoked', scopes: ['users:read'] });
      const then = await linesOf(organization.id);
      const asOf = await momentOf(app.database);
      await app.api.platform.delete(`${at}/api-keys/${revoked.id}`).expect(204);
      await made(app, `${at}/api-keys`, { name: 'new', scopes: ['users:read'] });
      await app.api.platform.patch(`${at}/users/${person.id}`, { displayName: 'Renamed' }).expect(200);
      await app.api.platform.post(`${at}/members`, { userId: person.id, role: 'viewer' }).expect(201);
      await app.api.platform.patch(at, { name: 'After' }).expect(200);
      await made(app, `${at}/users`, { email: newAddress() });

      const { text } = await report(organization.id, { query: `?asOf=${asOf}` });
      const past: Line[] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));

      const withoutUse = (lines: readonly Line[]) => lines.map((line) => ({ ...line, lastUsedAt: null }));
      expect(withoutUse(past)).toEqual(withoutUse(then));
      expect(of(past, person.id)).toEqual([expect.objectContaining({ role: 'admin', organizationName: 'Before' })]);
      const csv = await report(organization.id, { query: `?format=csv&asOf=${asOf}` });
      expect(parse(csv.text, { columns: true })).toHaveLength(then.length);
      expect(await exportsOf(organization.id)).toEqual([
        { format: 'ndjson' },
        { format: 'ndjson', asOf },
        { format: 'csv', asOf },
      ]);
    });

    it('hides the people of a previous parent that the caller cannot read', async () => {
      const [from, to] = await Promise.all(['From', 'To'].map((name) => newOrganization(app, { name, parentId: root.id })));
      await made(app, `/v1/organizations/${from!.id}/users`, { email: newAddress(), roles: ['admin'] });
      const moved = await newOrganization(app, { name: 'Moved', parentId: from!.id });
      const asOf = await momentOf(app.database);
      await app.api.platform.post(`/v1/organizations/${moved.id}/move`, { parentId: to!.id }).expect(200);
      // The viewer can read the present ancestor, not the previous one.
      const viewer = await signedIn(app, to!.id, { roles: ['viewer'] });

      const { text } = await report(moved.id, { key: viewer.token, query: `?asOf=${asOf}` });

      const inherited = text.split('\n').filter((line) => line.includes(from!.id));
      expect(inherited).toHaveLength(1);
      expect(inherited[0]).not.toContain('@');
    });

    it('rejects a moment before the history and other parameters', async () => {
      const at = `/v1/organizations/${root.id}/access-report`;
      const { body } = await app.api.platform.get(`${at}?asOf=2001-01-01T00:00:00Z`).expect(410);
      expect(body).toMatchObject({ code: 'history_unavailable', earliest: expect.stringMatching(/Z$/) });
      await app.api.platform.get(`${at}?as_of=2026-01-01T00:00:00Z`).expect(400);
    });
  });

  describe('for a caller with fewer permissions', () => {
    it.each(['users:read', 'members:read', 'roles:read', 'api_keys:read'])('requires %s', async (missing) => {
      const scopes = ['users:read', 'members:read', 'roles:read', 'api_keys:read'].filter((scope) => scope !== missing);
      const { key } = await made(app, `/v1/organizations/${root.id}/api-keys`, { name: 'weak', scopes });
      const { body } = await app.api.as(key).get(`/v1/organizations/${root.id}/access-report`).expect(403);
      expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining(missing) });
    });

    it('hides the people of an ancestor that the caller cannot read', async () => {
      const viewer = await signedIn(app, child.id, { roles: ['viewer'] });

      const lines = await linesOf(child.id, viewer.token);

      expect(of(lines, owner.id)).toMatchObject([{ inherited: true, role: 'owner', email: null, name: null, lastUsedAt: null }]);
      expect(JSON.stringify(lines.filter((line) => line.inherited))).not.toContain('@');
      expect(of(lines, admin)[0]).toMatchObject({ email: expect.stringContaining('@') });
      await viewer.client.get(`/v1/organizations/${root.id}/access-report`).expect(404);
    });

    it('ends while it is streamed if the caller loses access', async () => {
      const session = await openSession(app, owner, { at: root.id });
      await linesOf(root.id, session.token);
      await session.client.post('/v1/auth/logout').expect(204);
      await session.client.get(`/v1/organizations/${root.id}/access-report`).expect(401);
    });
  });

  it(
    `streams ${MEMBERS} members as fast as the client reads`,
    async () => {
      const { id } = await newOrganization(app);
      await insertMembers(id);
      const last = `usr_${String(MEMBERS).padStart(26, '0')}`;
      const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        const headers = { authorization: `Bearer ${app.platformKey}` };
        get(`${app.url}/v1/organizations/${id}/access-report`, { headers }, resolve).on('error', reject);
      });
      let text = '';
      for await (const chunk of response) {
        // The service has not read the last member yet, because the client has read only the first lines.
        if (text === '')
          await app.database.query(`UPDATE role_assignments SET user_status = 'deleted' WHERE tenant_id = $1 AND user_id = $2`, [
            id,
            last,
          ]);
        text += chunk;
      }
      const keys = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map((line) => `${line.id} ${line.roleId}`);
      expect(keys).toHaveLength(2 * (MEMBERS - 1));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toEqual(keys.toSorted());
    },
    LONG_TEST_MS,
  );

  /** Inserts members with two roles each. */
  async function insertMembers(tenantId: string): Promise<void> {
    const members = `(SELECT $1::text AS tenant_id, 'usr_' || lpad(n::text, 26, '0') AS id FROM generate_series(1, ${MEMBERS}) n) m`;
    await app.database.query(
      `INSERT INTO users (tenant_id, id, organization_id, email, email_key, status, created_at, updated_at)
       SELECT m.tenant_id, m.id, $1, m.id || '@example.com', m.id || '@example.com', 'active', now(), now() FROM ${members}`,
      [tenantId],
    );
    await app.database.query(
      `INSERT INTO memberships (tenant_id, organization_id, user_id, user_tenant_id, role_id, announced, joined_at, updated_at)
       SELECT m.tenant_id, $1, m.id, $1, 'role_admin', true, now(), now() FROM ${members}`,
      [tenantId],
    );
    await app.database.query(
      `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
       SELECT m.tenant_id, $1, m.id, r, false, 'active', now() FROM ${members}, unnest(ARRAY['role_admin', 'role_viewer']) r`,
      [tenantId],
    );
  }
});
