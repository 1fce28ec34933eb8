import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { eventually } from '../support/delivery-app.js';
import { eventsDuring } from '../support/events-during.js';
import { ownDomains } from '../support/oidc.js';
import { at, read } from '../support/organizations.js';
import { connectScim, patch, type ScimClient, setActive, startScim } from '../support/scim.js';
import { HOUR_MS, later } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

// Two searches that wait for a lock leave connections for other requests.
const app = testApp({ databasePoolSize: 6 });

describe('limits of SCIM connections', () => {
  const usersOf = async (scim: ScimClient, name: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await scim.create('/Users', { userName: `u${index}@${name}.example` })).id);
    return ids;
  };
  const statusesOf = async (org: string, ids: readonly string[]): Promise<string[]> =>
    Promise.all(ids.map(async (id) => (await read(app, at(org, `/users/${id}`))).status));

  const rollBack = async (path: string): Promise<void> => {
    expect((await app.api.platform.post(`${path}/roll-back`).expect(200)).body.data.mode).toBe('rolling_back');
    await eventually(async () => (await read(app, path)).mode === 'stopped', 30_000, 'the users are restored');
  };

  it('stops a connection that would remove more users than the limit, and notifies the owners', async () => {
    const { org, scim, path } = await startScim(app, 'Stopped', { maxRemovals: 2 });
    const owner = { email: 'owner@stopped.example', roles: ['role_owner'] };
    await app.api.platform.post(at(org, '/users'), owner).expect(201);
    const ids = await usersOf(scim, 'stopped', 4);
    await scim.patch(`/Users/${ids[0]}`, setActive(false)).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    const events = await eventsDuring(app, async () => {
      const { headers, body } = await scim.patch(`/Users/${ids[2]}`, setActive(false)).expect(503);
      expect(body).toMatchObject({ status: '503', detail: expect.stringContaining('more users than its limits') });
      expect(headers.get('retry-after')).toBe('600');
    });
    const stopped = { id: scim.connectionId, mode: 'stopped', removedUsers: 2 };
    expect(events).toMatchObject([{ type: 'scim_connection.stopped', data: stopped }]);
    expect(await statusesOf(org, ids)).toEqual(['suspended', 'deleted', 'active', 'active']);
    expect(await read(app, path)).toMatchObject({ mode: 'stopped', stoppedAt: expect.any(String) });
    expect(await app.database.query(`SELECT FROM messages WHERE template = 'scim_connection_stopped'`)).toHaveLength(1);

    await scim.post('/Users', { userName: 'new@stopped.example' }).expect(503);
    await scim.post('/Bulk', { Operations: [] }).expect(503);
    await scim.get('/Users').expect(200);
    await scim.post('/Users/.search', {}).expect(200);
  });

  it('continues for an hour without limits after the activation', async () => {
    const { scim, path } = await startScim(app, 'Continued', { maxRemovals: 1 });
    const ids = await usersOf(scim, 'continued', 5);
    await scim.delete(`/Users/${ids[0]}`).expect(204);
    await scim.delete(`/Users/${ids[1]}`).expect(503);
    await app.api.platform.post(`${path}/activate`).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    await scim.delete(`/Users/${ids[2]}`).expect(204);
    await later(app, HOUR_MS + 60_000, async () => {
      await scim.delete(`/Users/${ids[3]}`).expect(204);
      await scim.delete(`/Users/${ids[4]}`).expect(503);
    });
  });

  it('counts only the removals of the last hour, and not users who are active again', async () => {
    const { scim } = await startScim(app, 'Hour', { maxRemovals: 1 });
    const ids = await usersOf(scim, 'hour', 3);
    await scim.patch(`/Users/${ids[0]}`, setActive(false)).expect(200);
    await scim.patch(`/Users/${ids[0]}`, setActive(true)).expect(200);
    await scim.patch(`/Users/${ids[1]}`, setActive(false)).expect(200);
    await later(app, HOUR_MS + 60_000, () => scim.patch(`/Users/${ids[2]}`, setActive(false)).expect(200));
  });

  it('applies a percentage from the eleventh removal on', async () => {
    const { scim, path } = await startScim(app, 'Percent', { maxRemovals: null, maxRemovalPercent: 50 });
    const ids = await usersOf(scim, 'percent', 24);
    for (const id of ids.slice(0, 12)) await scim.delete(`/Users/${id}`).expect(204);
    await scim.delete(`/Users/${ids[12]}`).expect(503);
    expect((await read(app, path)).mode).toBe('stopped');
  });

  it('restores the removed users, and stays stopped', async () => {
    const { org, scim, path } = await startScim(app, 'Restored', { maxRemovals: 3 });
    const ids = await usersOf(scim, 'restored', 4);
    await scim.patch(`/Users/${ids[0]}`, setActive(false)).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    await scim.patch(`/Users/${ids[3]}`, setActive(false)).expect(200);
    await scim.delete(`/Users/${ids[3]}`).expect(204);
    await app.api.platform.post(`${path}/roll-back`).expect(409, 'scim_connection_not_stopped');
    await scim.delete(`/Users/${ids[2]}`).expect(503);
    const events = await eventsDuring(app, () => rollBack(path));
    expect(await statusesOf(org, ids)).toEqual(['active', 'active', 'active', 'active']);
    const data = { id: scim.connectionId, restoredUsers: 3 };
    expect(events.at(-1)).toMatchObject({ type: 'scim_connection.rolled_back', data });
    await scim.delete(`/Users/${ids[0]}`).expect(503);
  });

  it('counts inactive users whom it creates or takes over before they came as no removals, and restores only its removals', async () => {
    const settings = { maxRemovals: 3, allowLocalChanges: true, adoptExistingUsers: true };
    const { org, scim, path } = await startScim(app, 'Leavers', settings);
    await ownDomains(app, org, ['leavers.example']);
    for (const index of [0, 1])
      await app.api.platform.post(at(org, '/users'), { email: `left${index}@leavers.example` }).expect(201);
    const ids = await usersOf(scim, 'leavers', 4);
    for (let index = 0; index < 4; index++)
      ids.push((await scim.create('/Users', { userName: `left${index}@leavers.example`, active: false })).id);
    for (const id of ids.slice(0, 2)) await scim.patch(`/Users/${id}`, setActive(false)).expect(200);
    await scim.delete(`/Users/${ids[2]}`).expect(204);
    await app.api.platform.post(at(org, `/users/${ids[1]}/suspend`), { reason: 'Compromised.' }).expect(200);
    await app.api.platform.post(at(org, `/users/${ids[2]}/restore`)).expect(200);
    await app.api.platform.delete(at(org, `/users/${ids[2]}`)).expect(204);
    // Somebody else decided about two of the three.
    for (const id of ids.slice(4, 6)) await scim.delete(`/Users/${id}`).expect(204);
    await scim.delete(`/Users/${ids[3]}`).expect(503);
    await rollBack(path);
    expect(await statusesOf(org, ids)).toEqual(['active', 'suspended', 'deleted', 'active', ...Array(4).fill('suspended')]);
  });

  it('leaves the userName with the user who got it after the deletion', async () => {
    const { org, scim, path } = await startScim(app, 'Rehired', { maxRemovals: 1, allowLocalChanges: true });
    const hire = (name: string, userName = 'ada') =>
      scim.create('/Users', { userName, emails: [{ value: `${name}@rehired.example` }] });
    const { id: left } = await hire('old');
    await scim.delete(`/Users/${left}`).expect(204);
    const { id: rehired } = await hire('new');
    const { id: other } = await hire('other', 'other');
    await scim.delete(`/Users/${other}`).expect(503);
    await app.api.platform.post(at(org, `/users/${left}/restore`)).expect(409, 'user_name_conflict');
    await rollBack(path);
    expect(await statusesOf(org, [left, rehired])).toEqual(['deleted', 'active']);
    await app.api.platform.post(`${path}/activate`).expect(200);
    expect(await scim.find('/Users', 'userName eq "ada"')).toEqual([rehired]);
    await scim.patch(`/Users/${rehired}`, setActive(false)).expect(200);

    await scim.delete(`/Users/${rehired}`).expect(204);
    await app.api.platform.post(at(org, `/users/${left}/restore`)).expect(200);
    await scim.patch(`/Users/${left}`, setActive(false)).expect(200);
    // Two users had the same userName before the service prevented it.
    await app.database.query(
      `UPDATE scim_users SET user_name = 'ada', user_name_key = 'ada', reserves_name = false WHERE user_id = $1`,
      [other],
    );
    await scim.patch(`/Users/${left}`, setActive(true)).expect(200);
    await scim.patch(`/Users/${other}`, setActive(false)).expect(200);
    const rename = (value: string) => scim.patch(`/Users/${other}`, patch({ op: 'replace', path: 'userName', value }));
    await rename('other').expect(200);
    await rename('Ada').expect(409);
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        scim.post('/Users', { userName: 'eve', emails: [{ value: `${name}@rehired.example` }] }),
      ),
    );
    expect(await scim.find('/Users', 'userName eq "eve"')).toHaveLength(1);
  });

  it.each(['activate', 'start-preview'])('can roll back after %s', async (action) => {
    const name = action.slice(0, 5);
    const { org, scim, path } = await startScim(app, `Kept ${name}`, { maxRemovals: 1 });
    const ids = await usersOf(scim, `kept-${name}`, 3);
    await scim.delete(`/Users/${ids[0]}`).expect(204);
    await scim.delete(`/Users/${ids[1]}`).expect(503);
    await app.api.platform.post(`${path}/${action}`).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    await rollBack(path);
    expect(await statusesOf(org, ids)).toEqual(['active', 'active', 'active']);
  });

  it('counts concurrent removals', async () => {
    const { org, scim } = await startScim(app, 'Concurrent', { maxRemovals: 3 });
    const ids = await usersOf(scim, 'concurrent', 8);
    await Promise.all(ids.map((id) => scim.delete(`/Users/${id}`)));
    expect((await statusesOf(org, ids)).filter((status) => status === 'deleted')).toHaveLength(3);
  });

  it('executes no further operation of the bulk request that stopped the connection', async () => {
    const { scim, path } = await startScim(app, 'Bulk', { maxRemovals: 1 });
    const [first, second, third] = await usersOf(scim, 'bulk', 3);
    const { body } = await scim
      .post('/Bulk', {
        Operations: [
          { method: 'DELETE', path: `/Users/${first}` },
          { method: 'DELETE', path: `/Users/${second}` },
          { method: 'PATCH', path: `/Users/${third}`, data: { Operations: [{ op: 'add', path: 'displayName', value: 'X' }] } },
          { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'G' } },
        ],
      })
      .expect(200);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['204', '503', '503', '503']);
    expect((await scim.read(`/Users/${third}`)).displayName).toBeUndefined();
    expect((await read(app, path)).mode).toBe('stopped');
  });
});

describe('limits of SCIM requests', () => {
  let org: string;
  let scim: ScimClient;
  let user: string;
  let group: string;

  beforeAll(async () => {
    ({ org, scim } = await startScim(app, 'Acme'));
    user = (await scim.create('/Users', { userName: 'ada@acme.example' })).id;
    group = (await scim.create('/Groups', { displayName: 'Team' })).id;
  });

  it('rejects texts that no index can store or that are not valid Unicode, ids with NUL and times that the database does not know', async () => {
    const long = randomBytes(2_000).toString('hex').slice(0, 4_000);
    const emails = [{ value: 'bob@acme.example', primary: true }];
    for (const attributes of [
      { userName: long, emails },
      { userName: 'bob@acme.example', externalId: long },
      { userName: 'bob@acme.example', emails: [...emails, { value: long }] },
      { userName: '☃', emails },
      { userName: 'bob@acme.example', emails: [{ value: 'nobody', primary: true }] },
      { userName: 'bob@acme.example', emails, displayName: '\u200b\u00ad' },
    ]) {
      await scim.post('/Users', attributes).expect(400, 'invalidValue');
      await scim.put(`/Users/${user}`, attributes).expect(400, 'invalidValue');
    }
    await scim.create('/Users', { userName: 'ж'.repeat(500), externalId: 'x'.repeat(500), emails });
    for (const op of ['add', 'remove', 'replace'])
      await scim.patch(`/Groups/${group}`, patch({ op, path: 'members', value: [{ value: 'usr_\0' }] })).expect(400);
    await scim.post('/Bulk', { Operations: [{ method: 'DELETE', path: '/Users/usr_\0' }] }).expect(400);
    for (const time of ['-200000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z'])
      await scim.get('/Users', { filter: `meta.created gt "${time}"` }).expect(400, 'invalidFilter');
    const text = 'a\ud800';
    const eve = { userName: 'eve@acme.example', emails: [{ value: 'eve@acme.example' }] };
    for (const field of [{ userName: text }, { displayName: text }, { externalId: text }, { ims: [{ value: text }] }])
      await scim.post('/Users', { ...eve, ...field }).expect(400, 'invalidValue');
    await scim.patch(`/Users/${user}`, patch({ op: 'add', path: 'title', value: text })).expect(400);
    await scim.patch(`/Users/${user}`, patch({ op: 'add', path: `ims[type eq "${text}"].value`, value: 'x' })).expect(400);
    for (const displayName of [text, '\u200b\u00ad']) await scim.post('/Groups', { displayName }).expect(400);
  });

  it.each([
    ['{"userName":"eve","displayName":"Zo\xeb"}', 'invalidSyntax'],
    ['{"userName":"eve","userName":"mallory"}', 'invalidValue'],
    ['{"userName":"eve","x":1546130668394913822}', 'invalidValue'],
    [`{"userName":"eve","x":[${'{},'.repeat(250_000)}1]}`, 'invalidSyntax'],
  ])('rejects JSON that it would read differently than the client, or slowly (case %#)', async (body, scimType) => {
    const path = `/scim/v2/${scim.connectionId}/Users`;
    const headers = { 'content-type': 'application/scim+json' };
    await app.api.as(scim.token).raw('POST', path, Buffer.from(body, 'latin1'), headers).expect(400, scimType);
  });

  it('limits the concurrent searches of a connection', async () => {
    const other = await connectScim(app, org);
    const client = new Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE groups');
      // Two run, 50 wait.
      const searches = Array.from({ length: 54 }, () => scim.get('/Groups'));
      const rejected = await Promise.any(searches.map((search) => search.expect(429)));
      expect(rejected.headers.get('retry-after')).toBe('5');
      expect(rejected.body).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '429',
        detail: 'This connection has too many searches in progress. Try again in 5 seconds.',
      });
      await other.get('/Users', { excludedAttributes: 'groups' }).expect(200);
      await client.query('COMMIT');
      expect((await Promise.all(searches)).map(({ status }) => status)).toContain(200);
    } finally {
      await client.end();
    }
  });
});
