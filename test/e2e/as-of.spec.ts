import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HistoryReconciliationQuery, TRACKED_TABLES } from '#platform/database';
import { HistoryCleanupService } from '../../libs/directory/organizations/src/as-of/history-cleanup.service.js';
import { newId, systemContext } from '#platform/common';
import { DataSource } from 'typeorm';
import { eventually } from '../support/delivery-app.js';
import { historyDifferences, momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { at as pathIn, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { openPool } from '../support/pool.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { asOfOperations, answerOf, readsOf } from './random-histories/reads.js';

const HOUR_MS = 3_600_000;
const HISTORY_TABLES = Object.keys(TRACKED_TABLES).map((table) => `${table}_history`);

describe('reads as of a moment', () => {
  const app = testApp({ role: 'api', retentionHistoryMs: HOUR_MS });
  let acme: string;
  let start: unknown;

  const at = (rest = '', organization = acme): string => pathIn(organization, rest);
  const user = async (fields: object = {}, organization = acme): Promise<TestBody> =>
    made(app, at('/users', organization), { email: newAddress(), ...fields });
  const moment = () => momentOf(app.database);
  /** Returns the history tables with a row that contains a text. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const sql = HISTORY_TABLES.map((table) => `SELECT '${table}' AS name FROM ${table} h WHERE h::text LIKE $1`).join(' UNION ');
    const found = await app.database.query<{ name: string }>(`${sql} ORDER BY 1`, [`%${text}%`]);
    return found.map(({ name }) => name);
  };

  beforeAll(async () => {
    // The template of the database can be older than the retention.
    await app.database.query('UPDATE history_start SET started_at = now()');
    [{ start }] = (await app.database.query('SELECT started_at AS start FROM history_start')) as [{ start: unknown }];
  });
  beforeEach(async () => {
    // Some tests move the beginning of the history.
    await app.database.query('UPDATE history_start SET started_at = $1', [start]);
    acme = (await newOrganization(app)).id;
  });

  it('reject a future moment, and return 410 with the earliest moment for every operation before the beginning of the history', async () => {
    for (const time of ['9999-12-30T12:00:00Z', new Date(Date.now() + HOUR_MS).toISOString()]) {
      const { body } = await app.api.platform.get(at(`?asOf=${time}`)).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/asOf', in: 'query', code: 'out_of_range' }]);
    }
    const { id } = await user();
    const known = { organizations: [acme], users: [id], roles: [], groups: [newId('group')] };
    const rounded = `date_trunc('milliseconds', started_at + interval '999 microseconds')`;
    const [{ earliest }] = (await app.database.query(`SELECT ${rounded} AS earliest FROM history_start`)) as [{ earliest: Date }];
    const before = new Date(earliest.getTime() - 1).toISOString();
    for (const moment of ['0001-01-01T00:00:00Z', '2020-02-29T00:00:00.123456-12:00', before]) {
      const { body } = await app.api.platform.get(at(`?asOf=${moment}`)).expect(410);
      expect(body).toMatchObject({ code: 'history_unavailable', earliest: earliest.toISOString() });
    }
    // The organization was created later.
    await app.api.platform.get(at(`?asOf=${earliest.toISOString()}`)).expect(404, 'organization_not_found');
    for (const operation of await asOfOperations()) {
      const answer = await answerOf(app, readsOf(operation, known)[0]!, before);
      expect(answer).toMatch(/^410 .*"code":"history_unavailable"/);
      expect(answer).toContain(earliest.toISOString());
    }
  });

  it('require the present permissions of the caller', async () => {
    const { id } = await user();
    const admin = await signedIn(app, acme, { roles: ['admin'] });
    const past = await moment();
    await made(app, at('/roles'), { name: 'guest', permissions: ['invoices:read'] });
    await made(app, at('/members'), { userId: admin.id, role: 'guest' });

    const check = at(`/permissions/check?asOf=${past}`);
    await admin.client.post(check, { userId: admin.id, permission: 'users:write' }).expect(403);
    await app.api.platform.delete(at(`/members/${admin.id}`)).expect(204);
    expect((await admin.client.get(at(`/users/${id}?asOf=${past}`))).status).toBeGreaterThanOrEqual(403);
  });

  it('show nothing of organizations that the caller can no longer see, except the values of settings', async () => {
    const [left, right] = [
      await newOrganization(app, { parentId: acme, name: 'Left-org' }),
      await newOrganization(app, { parentId: acme }),
    ];
    const moved = await newOrganization(app, { parentId: left.id, name: 'Moved-org' });
    const role = await made(app, at('/roles', left.id), { name: 'left-role', permissions: ['ledgers:read'] });
    await app.api.platform
      .patch(at('', left.id), {
        settings: { sessionTimeout: 777, defaultRole: role.id },
        lockedSettings: ['sessionTimeout'],
      })
      .expect(200);
    const holder = await user({ email: 'left-holder@example.com', displayName: 'Left-holder', roles: ['admin'] }, left.id);
    const member = await user({ roles: [role.id] }, moved.id);
    await made(app, at('/members', moved.id), { userId: (await user({}, left.id)).id, role: 'viewer' });
    await made(app, at('/members', left.id), { userId: member.id, role: 'viewer' });
    const group = await made(app, at('/groups', moved.id), { name: 'Group' });
    await app.api.platform.post(at(`/groups/${group.id}/members`, moved.id), { userIds: [member.id] }).expect(200);
    await app.api.platform.post(at(`/groups/${group.id}/roles`, moved.id), { roleId: role.id }).expect(201);
    const past = await moment();
    await app.api.platform.delete(at(`/roles/${role.id}?reassignTo=member`, left.id)).expect(204);
    await app.api.platform.post(at('/move', moved.id), { parentId: right.id }).expect(200);

    const known = { users: [holder.id, member.id], roles: [role.id, 'left-role'], groups: [group.id] };
    const operations = await asOfOperations();
    /** Returns the texts that the answers of all operations with `asOf` contain. */
    const textsFor = async (organization: string, credential: string, texts: readonly string[]): Promise<string[]> => {
      const reads = operations.flatMap((operation) => readsOf(operation, { ...known, organizations: [organization] }));
      const caller = { url: app.url, platformKey: credential };
      const answers = (await Promise.all(reads.map((each) => answerOf(caller, each, past)))).join('\n');
      return texts.filter((text) => answers.includes(`"${text}"`));
    };
    const ofLeft = ['Left-holder', 'Left-org', 'ledgers:read', 'left-holder@example.com', 'left-role', holder.id, role.id];
    expect(await textsFor(moved.id, app.platformKey, ofLeft)).toEqual(ofLeft);
    for (const organization of [moved.id, right.id]) {
      const { token, client } = await signedIn(app, organization, { roles: ['admin'] });
      expect(await textsFor(moved.id, token, ofLeft)).toEqual([]);
      const settings = (await client.get(at(`/settings?asOf=${past}`, moved.id)).expect(200)).body.data;
      const hidden = { id: left.id, name: "An organization that you can't access" };
      expect(settings.sessionTimeout).toEqual({ value: 777, source: hidden, lockedBy: hidden });
      expect(settings.defaultRole.value).toBe('role_hidden');
      await client.get(at(`/users/${member.id}?asOf=${past}`, moved.id)).expect(200);
    }
    // The former parent doesn't see its former descendant either, but who has access to the present parent does.
    expect(await textsFor(left.id, (await signedIn(app, left.id, { roles: ['admin'] })).token, ['Moved-org'])).toEqual([]);
    const { token } = await signedIn(app, acme, { roles: ['admin'] });
    expect(await textsFor(left.id, token, ['Moved-org'])).toEqual(['Moved-org']);
    expect(await textsFor(moved.id, token, ofLeft)).toEqual(ofLeft);
    // Nor does a session that the former parent doesn't accept now.
    await app.api.platform.patch(at('', left.id), { settings: { requireMfa: true } }).expect(200);
    expect(await textsFor(moved.id, token, ofLeft)).toEqual([]);
  });

  it('wait for transactions that are committing changes of the moment', async () => {
    const pool = openPool(app.config.databaseUrl, 1);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended('history|' || $1, 0))`, [acme]);
    const states: string[] = [];
    const read = app.api.platform.get(at(`?asOf=${await moment()}`)).then(({ status }) => states.push(`answered ${status}`));
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await eventually(async () => (await app.database.query(waiting)).length > 0, 10_000, 'the read waits');
    states.push('committed');
    await client.query('COMMIT');
    client.release();
    await read;
    await pool.end();
    expect(states).toEqual(['committed', 'answered 200']);
  });

  it('see all changes of a transaction at the same moment, and one version of each row at each moment', async () => {
    const { id } = await user({ roles: ['admin', 'viewer'] });
    const starts = await Promise.all(
      HISTORY_TABLES.filter((table) => /^(memberships|role_assignments|directory_entries)/.test(table)).map(async (table) =>
        app.database.query(`SELECT valid_from::text AS at FROM ${table} WHERE user_id = $1`, [id]),
      ),
    );
    const [created] = await app.database.query('SELECT valid_from::text AS at FROM users_history WHERE id = $1', [id]);
    expect(starts.flat()).toEqual(Array(4).fill(created));

    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((displayName) => app.api.platform.patch(at(`/users/${id}`), { displayName }).whenServed()));
    const versions = await app.database.query<{ valid_from: string; valid_to: string; version: number }>(
      `SELECT valid_from::text, valid_to::text, version FROM users_history WHERE id = $1 ORDER BY version`,
      [id],
    );
    expect(versions).toHaveLength(9);
    expect(versions.slice(1).map((row) => row.valid_from)).toEqual(versions.slice(0, -1).map((row) => row.valid_to));
    expect(versions.at(-1)!.valid_to).toBe('infinity');
  });

  it('find nothing of a user who was permanently deleted, in any tenant', async () => {
    const home = (await newOrganization(app)).id;
    const { id, email } = await user({}, home);
    await app.api.platform.post(at('/members'), { userId: id, role: 'viewer' }).expect(201);
    await app.api.platform.patch(at(`/users/${id}`, home), { email: `new-${email}` }).expect(200);
    const past = await moment();
    expect(await tablesWith(email)).toEqual(['directory_entries_history', 'users_history']);

    await app.api.platform.delete(at(`/users/${id}?permanent=true`, home)).expect(204);

    expect(await tablesWith(email)).toEqual([]);
    expect(await tablesWith(id)).toEqual([]);
    await app.api.platform.get(at(`/users/${id}?asOf=${past}`, home)).expect(404);
    expect((await app.api.platform.get(at(`/users?asOf=${past}`)).expect(200)).body.pagination.total).toBe(0);
  });

  it('begin when the changes of a version without history are completed', async () => {
    const { id } = await user({ displayName: 'Tracked' });
    const other = await user();
    await app.database.query(`UPDATE users SET display_name = 'Untracked' WHERE id = $1`, [id]);
    await app.database.query(`DELETE FROM directory_entries WHERE user_id = $1`, [other.id]);
    await app.database.query(`UPDATE history_start SET started_at = started_at - interval '1 day', reconciled_at = NULL`);
    const before = await moment();
    expect(await historyDifferences(app.database)).toHaveLength(3);

    // Each instance reconciles once.
    const reconciliation = new HistoryReconciliationQuery(app.app.get(DataSource));
    await reconciliation.reconcile(systemContext(newId('request')), new Date(Date.now() - HOUR_MS));

    expect(await historyDifferences(app.database)).toEqual([]);
    await app.api.platform.get(at(`/users/${id}?asOf=${before}`)).expect(410);
    expect((await read(app, at(`/users/${id}?asOf=${await moment()}`))).displayName).toBe('Untracked');
    await app.database.query(`DELETE FROM users WHERE id = $1`, [other.id]);
  });

  it('end with the retention, and the versions before are deleted', async () => {
    const { id } = await user({ displayName: 'First' });
    await app.api.platform.patch(at(`/users/${id}`), { displayName: 'Second' }).expect(200);
    await app.api.platform.patch(at(`/users/${id}`), { displayName: 'Third' }).expect(200);
    await app.database.query(`UPDATE history_start SET started_at = started_at - interval '1 day'`);
    // The first version ended before the retention of an hour, the second version less than an hour ago.
    const ended = `UPDATE users_history SET valid_to = now() - interval '2 hours' WHERE id = $1 AND display_name = 'First'`;
    await app.database.query(ended, [id]);

    await app.app.get(HistoryCleanupService).run();

    const names = 'SELECT display_name AS name FROM users_history WHERE id = $1 ORDER BY version';
    expect(await app.database.query(names, [id])).toEqual([{ name: 'Second' }, { name: 'Third' }]);
    const tooEarly = new Date(Date.now() - HOUR_MS - 60_000).toISOString();
    const response = await app.api.platform.get(at(`/users/${id}?asOf=${tooEarly}`)).expect(410);
    expect(Date.parse(response.body.earliest) - (Date.now() - HOUR_MS)).toBeLessThan(1_000);
  });
});
