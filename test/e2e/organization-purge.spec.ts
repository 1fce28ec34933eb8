import { describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import { OrganizationPurgeService } from '#directory/organizations';
import type { TestBody } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;
const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

/** A deleted organization can be restored for 30 days, and is purged after that. */
describe('the purge of deleted organizations', () => {
  const app = testApp();

  const post = async (path: string, body: object): Promise<TestBody> =>
    (await app.api.platform.post(path, body).expect(201)).body.data;
  const make = async (body: object): Promise<string> => (await post('/v1/organizations', body)).id;
  /** Runs the purge as if this many days had passed. */
  const purgeAfter = async (days: number): Promise<number> => {
    const clock = app.app.get(Clock);
    clock.now = () => new Date(Date.now() + days * DAY_MS);
    try {
      return await app.app.get(OrganizationPurgeService).purgeDue();
    } finally {
      clock.now = () => new Date();
    }
  };
  /** Returns the columns that contain one of the values, except in the event log, which keeps past events. */
  const columnsWith = async (values: readonly string[]): Promise<string[]> => {
    const columns = await app.database.query<{ table_name: string; column_name: string }>(
      `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN pg_class k ON k.relname = c.table_name
       WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'ARRAY') AND k.relkind IN ('r', 'p') AND NOT k.relispartition
         AND c.table_name NOT IN ('events', 'event_redactions', 'deliveries', 'delivery_attempts', 'idempotency_keys')
         AND c.column_name NOT IN ('tenant_id', 'created_by_id')`,
    );
    const matchingColumns: string[] = [];
    for (const { table_name: table, column_name: column } of columns) {
      const [row] = await app.database.query<{ named: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM ${table} WHERE to_jsonb(${column}) ?| $1 OR to_jsonb(${column}) #>> '{}' = ANY($1)) AS named`,
        [values],
      );
      if (row!.named) matchingColumns.push(`${table}.${column}`);
    }
    return matchingColumns.toSorted();
  };

  it('skips an organization that was deleted 29 days ago', async () => {
    const id = await make({ name: 'Kept', slug: 'kept' });
    await app.api.platform.delete(at(id)).expect(204);
    expect(await purgeAfter(29)).toBe(0);
    await app.api.platform.post(at('kept', '/restore')).expect(200);
    expect(await purgeAfter(31)).toBe(0);
    await app.api.platform.get(at(id)).expect(200);
  });

  it('deletes all rows of an organization that was deleted 31 days ago', async () => {
    const other = await make({ name: 'Purge other tree' });
    const top = await make({ name: 'Purge top' });
    const sibling = await make({ name: 'Purge sibling', parentId: top });
    const purged = await make({ name: 'Purged', slug: 'purged', parentId: top });
    const descendantId = await make({ name: 'Purged below', slug: 'purged-below', parentId: purged });
    const user = (await post(at(purged, '/users'), { email: 'purged@x.example', roles: ['admin', 'viewer'] })).id;
    const descendantUserId = (await post(at(descendantId, '/users'), { email: 'purged-below@x.example', sendInvitation: true }))
      .id;
    const stays = (await post(at(sibling, '/users'), { email: 'stays@x.example' })).id;
    await post(at(sibling, '/members'), { userId: user, role: 'admin' });
    await post(at(other, '/members'), { userId: descendantUserId, role: 'viewer' });
    await post(at(purged, '/members'), { userId: stays });
    const role = (await post(at(purged, '/roles'), { name: 'purged', permissions: ['x:y'] })).id;
    await post(at(descendantId, `/users/${descendantUserId}/roles`), { roleId: role });
    await app.api.platform.patch(at(descendantId), { settings: { defaultRole: 'purged' } }).expect(200);
    const webhook = (await post(at(purged, '/webhooks'), { url: 'http://127.0.0.1:9/', events: ['user.login'] })).id;
    const { id: keyId, key } = await post(at(purged, '/api-keys'), { name: 'k', scopes: ['*'] });
    const provider = { name: 'P', issuer: 'https://login.example.com', clientId: 'c' };
    const providerId = (await post(at(descendantId, '/identity-providers'), provider)).id;
    const group = (await post(at(purged, '/groups'), { name: 'g' })).id;
    await app.api.platform.post(at(purged, `/groups/${group}/members`), { userIds: [user, stays] }).expect(200);
    await post(at(purged, `/groups/${group}/roles`), { roleId: 'viewer' });
    const link = (await post(at(purged, '/setup-links'), { steps: ['domain'] })).id;
    const domain = (await post(at(purged, '/domains'), { name: 'purged.example' })).id;
    const connection = (await post(at(purged, '/scim-connections'), { name: 'Okta' })).id;
    const names = [
      group,
      link,
      domain,
      connection,
      purged,
      descendantId,
      user,
      descendantUserId,
      role,
      webhook,
      keyId,
      providerId,
      'purged',
      'purged-below',
    ];
    await app.api.platform.delete(at(purged, '?cascade=true')).expect(204);
    await app.api.platform.post('/v1/organizations', { name: 'Too early', slug: 'purged' }).expect(409);
    expect(await columnsWith([user])).toContain('users.id');

    expect(await purgeAfter(31)).toBe(2);

    expect(await columnsWith(names)).toEqual([]);
    for (const path of [at(purged, '/restore'), at('purged', '/restore'), at(descendantId, '/restore')])
      await app.api.platform.post(path).expect(404);
    await app.api.as(key).get(at(purged)).expect(401);
    await app.api.platform.get(at(sibling, `/users/${user}`)).expect(404);
    expect(await make({ name: 'Again', slug: 'purged' })).not.toBe(purged);

    const siblingBody = (await app.api.platform.get(at(sibling)).expect(200)).body.data;
    expect(siblingBody.memberCount).toBe(1);
    expect((await app.api.platform.get(at(other)).expect(200)).body.data.memberCount).toBe(0);
    const { data } = (await app.api.platform.get(at(sibling, `/users/${stays}`)).expect(200)).body;
    expect(data.organizations.map(({ id }: { id: string }) => id)).toEqual([sibling]);
    await post(at(sibling, '/users'), { email: 'purged@x.example' });
    expect(await purgeAfter(31)).toBe(0);
  });

  it('includes descendants that were deleted earlier', async () => {
    const top = await make({ name: 'Tree' });
    const early = await make({ name: 'Tree early', parentId: top });
    await app.api.platform.delete(at(early)).expect(204);
    await app.api.platform.delete(at(top)).expect(204);
    expect(await purgeAfter(31)).toBe(2);
    expect(await columnsWith([top, early])).toEqual([]);
  });
});
