import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import type { TestBody } from '../support/http-client.js';
import { ownDomains } from '../support/oidc.js';
import { at, made, read } from '../support/organizations.js';
import { connectScim, creations, patch, setActive, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';

const NO_GROUPS = { create: 0, update: 0, delete: 0, membersAdded: 0, membersRemoved: 0 };
const NO_USERS = { create: 0, adopt: 0, update: 0, suspend: 0, activate: 0, delete: 0, removedOwners: 0 };

describe('SCIM connections in preview', () => {
  const app = testApp();
  let release = (): Promise<void> => Promise.resolve();

  const summaryOf = (path: string) => read(app, `${path}/preview`);
  const isActive = (path: string) =>
    eventually(async () => (await read(app, path)).mode === 'active', 60_000, 'the connection is active');
  const activate = async (path: string) => {
    await app.api.platform.post(`${path}/activate`).expect(200);
    await isActive(path);
  };
  /** Locks a key as `lockKey` does. Returns a function that releases the key. */
  const lockOf = async (...words: string[]): Promise<() => Promise<void>> => {
    const client = new Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [words.join('|')]);
    release = () => client.end();
    return release;
  };
  const emailsOf = async (org: string): Promise<string[]> =>
    (await read(app, at(org, '/users?sort=email'))).map(({ email }: { email: string }) => email);

  afterEach(() => release());

  it('records a first synchronization, answers as if it was done, and changes nothing', async () => {
    const { org, scim, path } = await startScim(app, 'First', { mode: 'preview' });
    const before = await app.database.query('SELECT count(*)::int AS count FROM events');
    const ada = await scim.create('/Users', { userName: 'ada@first.example', title: 'Analyst' });
    const bob = await scim.create('/Users', { userName: 'bob@first.example', active: false });
    const group = await scim.create('/Groups', { displayName: 'All', members: [{ value: ada.id }] });
    await scim.patch(`/Groups/${group.id}`, patch({ op: 'add', path: 'members', value: [{ value: bob.id }] })).expect(200);
    await scim.patch(`/Users/${ada.id}`, patch({ op: 'replace', path: 'title', value: 'Lead' })).expect(200);

    expect(await scim.read(`/Users/${ada.id}`)).toMatchObject({
      title: 'Lead',
      groups: [{ value: group.id, display: 'All' }],
    });
    expect((await scim.read('/Users', { filter: 'userName eq "BOB@first.example"' })).Resources).toHaveLength(1);
    expect((await scim.read('/Users', { filter: 'active eq false' })).totalResults).toBe(1);
    const { members, meta } = await scim.read(`/Groups/${group.id}`);
    expect(members).toHaveLength(2);
    for (const [endpoint, filter] of [
      ['/Users', 'groups.display eq "all" and groups.value pr and title eq "lead" and schemas pr and emails eq null'],
      ['/Groups', `members.type eq "User" and members[value sw "usr"] and meta.version eq ${JSON.stringify(meta.version)}`],
    ] as const)
      expect((await scim.read(endpoint, { filter })).totalResults).toBe(1);
    expect((await scim.read('/Groups', { filter: `members.value eq "${bob.id}"` })).totalResults).toBe(1);
    await scim.post('/Users', { userName: 'ada@first.example' }).expect(409, 'uniqueness');
    await scim.post('/Groups', { displayName: 'All' }).expect(409, 'uniqueness');

    expect(await emailsOf(org)).toEqual([]);
    expect(await app.database.query('SELECT count(*)::int AS count FROM events')).toEqual(before);
    expect(await summaryOf(path)).toEqual({
      users: { ...NO_USERS, create: 2 },
      groups: { ...NO_GROUPS, create: 1, membersAdded: 2 },
    });

    await activate(path);
    expect(await emailsOf(org)).toEqual(['ada@first.example', 'bob@first.example']);
    expect(await scim.read(`/Users/${ada.id}`)).toMatchObject({ title: 'Lead', active: true });
    expect((await scim.read(`/Users/${bob.id}`)).active).toBe(false);
    expect((await scim.read(`/Groups/${group.id}`)).members).toHaveLength(2);
    expect(await summaryOf(path)).toEqual({ users: NO_USERS, groups: NO_GROUPS });
    const types = await app.eventTypes();
    expect(types.slice(-6)).toEqual(expect.arrayContaining(['user.suspended', 'group.created', 'scim_connection.updated']));
  });

  it('shows whom a later synchronization would remove, and the owners among them', async () => {
    const { org, scim, path } = await startScim(app, 'Later');
    const create = async (name: string) => (await scim.create('/Users', { userName: `${name}@later.example` })).id as string;
    const [ada, bob, eve] = [await create('ada'), await create('bob'), await create('eve')];
    const group = await scim.create('/Groups', { displayName: 'Team', members: [{ value: ada }, { value: bob }] });
    for (const id of [ada, bob]) await app.api.platform.post(at(org, `/users/${id}/roles`), { roleId: 'role_owner' }).expect(201);
    await app.api.platform.post(`${path}/start-preview`).expect(200);

    await scim.patch(`/Users/${ada}`, setActive(false)).expect(200);
    await scim.delete(`/Users/${eve}`).expect(204);
    await scim.get(`/Users/${eve}`).expect(404);
    await scim.patch(`/Users/${bob}`, patch({ op: 'replace', path: 'name.givenName', value: 'Bob' })).expect(200);
    await scim.patch(`/Groups/${group.id}`, patch({ op: 'remove', path: `members[value eq "${ada}"]` })).expect(200);
    expect(await summaryOf(path)).toEqual({
      users: { ...NO_USERS, update: 1, suspend: 1, delete: 1, removedOwners: 1 },
      groups: { ...NO_GROUPS, update: 1, membersRemoved: 1 },
    });
    expect(await read(app, `${path}/preview/users?action=suspend`)).toMatchObject([
      { id: ada, action: 'suspend', email: 'ada@later.example', error: null },
    ]);
    expect(await read(app, `${path}/preview/groups`)).toMatchObject([
      { id: group.id, action: 'update', name: 'Team', membersRemoved: 1 },
    ]);
    const statusOf = async (id: string) => (await read(app, at(org, `/users/${id}`))).status;
    expect([await statusOf(ada), await statusOf(eve)]).toEqual(['active', 'active']);

    await activate(path);
    expect([await statusOf(ada), await statusOf(eve)]).toEqual(['suspended', 'deleted']);
    expect((await scim.read(`/Groups/${group.id}`)).members).toHaveLength(1);
  });

  it('applies changes in the order in which the directory sent them', async () => {
    const { scim, path } = await startScim(app, 'Order');
    const create = async (name: string) =>
      (await scim.create('/Users', { userName: `${name}@order.example`, emails: [{ value: `${name}@mail.example` }] }))
        .id as string;
    const [first, second] = [await create('first'), await create('second')];
    const groups = [];
    for (const displayName of ['First', 'Second']) groups.push((await scim.create('/Groups', { displayName })).id);
    await app.api.platform.post(`${path}/start-preview`).expect(200);

    const rename = (path: string, attribute: string, value: string) =>
      scim.patch(path, patch({ op: 'replace', path: attribute, value })).expect(200);
    await rename(`/Users/${second}`, 'userName', 'third@order.example');
    await rename(`/Users/${first}`, 'userName', 'second@order.example');
    await rename(`/Groups/${groups[1]}`, 'displayName', 'Third');
    await rename(`/Groups/${groups[0]}`, 'displayName', 'Second');
    await activate(path);
    expect((await scim.read(`/Users/${first}`)).userName).toBe('second@order.example');
    expect((await scim.read(`/Groups/${groups[0]}`)).displayName).toBe('Second');
    expect(await summaryOf(path)).toEqual({ users: NO_USERS, groups: NO_GROUPS });
  });

  it('rejects a change that arrives before the activation and would be recorded after it', async () => {
    const { org, scim, path } = await startScim(app, 'In progress', { mode: 'preview' });
    const release = await lockOf('scim-preview', scim.connectionId);
    const waiting = scim.post('/Users', { userName: 'ada@in-progress.example' });
    const isWaiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await eventually(async () => (await app.database.query(isWaiting)).length > 0, 10_000, 'the request waits');
    await activate(path);
    await release();

    expect((await waiting).status).toBe(503);
    expect(await summaryOf(path)).toEqual({ users: NO_USERS, groups: NO_GROUPS });
    await scim.post('/Users', { userName: 'ada@in-progress.example' }).expect(201);
    expect(await emailsOf(org)).toEqual(['ada@in-progress.example']);
  });

  it('returns the recorded users and groups while they are applied', async () => {
    const { scim, path } = await startScim(app, 'Applying', { mode: 'preview' });
    const { id } = await scim.create('/Users', { userName: 'ada@applying.example' });
    const group = await scim.create('/Groups', { displayName: 'All', members: [{ value: id }] });
    const release = await lockOf('scim-preview', scim.connectionId);
    await app.api.platform.post(`${path}/activate`).expect(200);

    expect((await scim.read(`/Users/${id}`)).groups).toMatchObject([{ value: group.id }]);
    expect((await scim.read('/Users', { filter: 'userName eq "ada@applying.example"' })).totalResults).toBe(1);
    expect((await scim.read(`/Groups/${group.id}`)).members).toMatchObject([{ value: id }]);
    await scim.patch(`/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Lead' })).expect(503);
    await release();
    await isActive(path);
    expect((await scim.read(`/Users/${id}`)).groups).toMatchObject([{ value: group.id }]);
  });

  it('keeps the takeover of a user who was deleted meanwhile with its error, and applies all other changes', async () => {
    const { org, scim, path } = await startScim(app, 'Gone', { mode: 'preview', adoptExistingUsers: true });
    await ownDomains(app, org, ['gone.example']);
    const users = at(org, '/users');
    const { id } = await made(app, users, { email: 'ada@gone.example' });
    expect((await scim.create('/Users', { userName: 'ada@gone.example' })).id).toBe(id);
    await scim.post('/Users', { userName: 'bob@gone.example' }).expect(201);
    // The address of a new user belongs to somebody else meanwhile.
    const { id: announced } = await scim.create('/Users', { userName: 'eve@gone.example' });
    await app.api.platform.post(users, { email: 'eve@gone.example' }).expect(201);
    await app.api.platform.delete(`${users}/${id}`).expect(204);

    await activate(path);
    expect(await read(app, `${path}/preview/users`)).toMatchObject([
      { id: announced, action: 'create', error: expect.stringContaining('eve@gone.example') },
      { id, action: 'adopt', error: expect.stringContaining(id) },
    ]);
    expect((await scim.read('/Users')).Resources).toMatchObject([{ userName: 'bob@gone.example' }]);
  });

  it('shows status changes of users whom it takes over, and makes no others', async () => {
    const { org, scim, path } = await startScim(app, 'Taken', { mode: 'preview', adoptExistingUsers: true });
    await ownDomains(app, org, ['taken.example']);
    const users = at(org, '/users');
    const create = async (name: string, roles: string[] = []) =>
      (await made(app, users, { email: `${name}@taken.example`, roles })).id as string;
    const suspend = (id: string) => app.api.platform.post(`${users}/${id}/suspend`, {}).expect(200);
    const [boss, eve, kept, later, none] = await Promise.all(
      ['boss', 'eve', 'kept', 'later', 'none'].map((name) => create(name, name === 'boss' ? ['role_owner'] : [])),
    );
    await create('other', ['role_owner']);
    for (const id of [boss, later]) await app.api.platform.post(`${users}/${id}/activate`).expect(200);
    for (const id of [eve, kept]) await suspend(id!);
    const take = (name: string, fields: object = {}) => scim.create('/Users', { userName: `${name}@taken.example`, ...fields });
    await take('boss', { active: false });
    await take('eve', { active: true });
    expect((await take('kept')).active).toBe(false);
    await take('later', { active: true });
    await take('none');
    await scim.patch(`/Users/${none}`, setActive(false)).expect(200);

    expect((await summaryOf(path)).users).toEqual({ ...NO_USERS, adopt: 5, suspend: 2, activate: 1, removedOwners: 1 });
    const shown = async (action: string) =>
      (await read(app, `${path}/preview/users?action=${action}`)).map((each: TestBody) => [each.id, each.action, each.adopts]);
    expect(await shown('adopt')).toHaveLength(5);
    expect(await shown('activate')).toEqual([[eve, 'activate', true]]);
    expect(await shown('suspend')).toEqual(
      expect.arrayContaining([
        [boss, 'suspend', true],
        [none, 'suspend', true],
      ]),
    );
    await suspend(later!);
    await activate(path);
    const statuses = [];
    for (const id of [boss, eve, kept, later, none]) statuses.push((await read(app, `${users}/${id}`)).status);
    expect(statuses).toEqual(['suspended', 'active', 'suspended', 'suspended', 'suspended']);
  });

  it('stops at the limits while it applies changes, and applies the others after another activation', async () => {
    const { org, scim, path } = await startScim(app, 'Limited', { maxRemovals: 1 });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      ids.push((await scim.create('/Users', { userName: `${name}@limited.example` })).id);
    const present = async () => (await read(app, at(org, '/users?sort=email&status=active'))).length;
    const isIn = (mode: string) => eventually(async () => (await read(app, path)).mode === mode, 60_000, mode);
    await app.api.platform.post(`${path}/start-preview`).expect(200);
    for (const id of ids.slice(0, 3)) await scim.delete(`/Users/${id}`).expect(204);
    await app.api.platform.post(`${path}/activate`).expect(200);
    await isIn('stopped');
    expect(await present()).toBe(4);
    await app.api.platform.post(`${path}/activate`).expect(200);
    await isIn('active');
    expect(await present()).toBe(2);
    expect(await read(app, `${path}/preview/users`)).toEqual([]);

    // The removals of a preview within the limits don't pause them.
    const later = await startScim(app, 'Limited later', { maxRemovals: 1 });
    const create = async (name: string) => (await later.scim.create('/Users', { userName: `${name}@later-limited.example` })).id;
    const [first, second] = [await create('a'), await create('b')];
    await app.api.platform.post(`${later.path}/start-preview`).expect(200);
    await activate(later.path);
    await later.scim.delete(`/Users/${first}`).expect(204);
    await later.scim.delete(`/Users/${second}`).expect(503);
  });

  it('applies changes although many connections of deleted organizations wait', async () => {
    const { org, scim } = await startScim(app, 'Deleted', { mode: 'preview' });
    const waiting = [scim, ...(await Promise.all(Array.from({ length: 20 }, () => connectScim(app, org, { mode: 'preview' }))))];
    await app.database.query(`UPDATE organizations SET deleted_at = now() WHERE id = $1`, [org]);
    await app.database.query(`UPDATE scim_connections SET mode = 'applying' WHERE id = ANY ($1)`, [
      waiting.map(({ connectionId }) => connectionId),
    ]);
    const later = await startScim(app, 'Undeleted', { mode: 'preview' });
    await activate(later.path);
  });

  it('deletes what it recorded about a user who is deleted permanently', async () => {
    const { org, scim, path } = await startScim(app, 'Erased');
    const { id } = await scim.create('/Users', { userName: 'ada@erased.example' });
    await app.api.platform.post(`${path}/start-preview`).expect(200);
    await scim.patch(`/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Lead' })).expect(200);
    await app.api.platform.delete(at(org, `/users/${id}?permanent=true`)).expect(204);
    expect(await app.database.query('SELECT FROM scim_preview_users WHERE user_id = $1', [id])).toEqual([]);
  });

  it('applies each change once when several processes do so', async () => {
    const { databaseUrl, secretsKeys, platformApiKey } = app.config;
    await using _second = await startApp({ databaseUrl, secretsKeys, platformApiKey });
    const { scim, path } = await startScim(app, 'Several', { mode: 'preview' });
    const names = Array.from({ length: 110 }, (_, index) => `u${index}@several.example`);
    await scim.post('/Bulk', { Operations: creations(names) }).expect(200);
    await activate(path);
    expect((await scim.read('/Users', { count: 0 })).totalResults).toBe(110);
    expect(await read(app, `${path}/preview/users`)).toEqual([]);
  }, 120_000);

  it('rejects in preview what an active connection would reject', async () => {
    const { org, scim } = await startScim(app, 'Rejected', { mode: 'preview' });
    await app.api.platform.post(at(org, '/users'), { email: 'taken@rejected.example' }).expect(201);
    await scim.post('/Users', { userName: 'taken@rejected.example' }).expect(409, 'uniqueness');
    await scim.post('/Users', { userName: 'no address' }).expect(400, 'invalidValue');
    await scim.patch('/Users/usr_unknown', setActive(false)).expect(404);
    await scim.post('/Groups', { displayName: 'G', members: [{ value: 'usr_unknown' }] }).expect(400);
    const settings = { allowedDomains: ['rejected.example'] };
    await app.api.platform.patch(`/v1/organizations/${org}`, { settings }).expect(200);
    await scim.post('/Users', { userName: 'x@elsewhere.example' }).expect(400);
  });
});
