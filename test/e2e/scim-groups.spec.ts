import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const patch = (...Operations: unknown[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });

const NAMES = ['İzmir', 'Zoe\u0308', 'Straße', 'ΟΔΟΣ', 'Sales'];
/** More members than `MAX_MEMBERS_AFTER_PATCH`. */
const MEMBERS = sized(501, 1_000, 1_000);

describe('SCIM groups', () => {
  const app = testApp();
  let org: string;
  let scim: ScimClient;
  let count = 0;

  const user = async (client = scim): Promise<string> =>
    (await client.post('/Users', { userName: `member${++count}@example.com` }).expect(201)).body.id;
  const group = async (members: string[] = [], fields: object = {}) =>
    (
      await scim
        .post('/Groups', { displayName: `Group ${++count}`, members: members.map((value) => ({ value })), ...fields })
        .expect(201)
    ).body;
  const membersOf = async (id: string): Promise<string[]> =>
    ((await scim.get(`/Groups/${id}`).expect(200)).body.members ?? []).map(({ value }: { value: string }) => value);
  const eventsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(before);
  };

  beforeAll(async () => {
    ({ org, scim } = await startScim(app, 'Acme'));
  });

  it('creates a group with members, which the API and the users show', async () => {
    const [ada, bob] = [await user(), await user()];
    let created: TestBody = {};
    const types = await eventsOf(async () => {
      created = await group([ada, bob], { displayName: 'Engineering', externalId: 'g-1' });
    });
    expect(types).toEqual(['group.created', 'group.member_added', 'group.member_added']);
    expect(created).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Engineering',
      externalId: 'g-1',
      members: [
        { value: ada, $ref: `${scim.base}/Users/${ada}`, type: 'User' },
        { value: bob, $ref: `${scim.base}/Users/${bob}`, type: 'User' },
      ],
    });
    const { data } = (await app.api.platform.get(`/v1/organizations/${org}/groups/${created['id']}`).expect(200)).body;
    expect(data).toMatchObject({ name: 'Engineering', memberCount: 2, managedBy: scim.connectionId });
    expect((await scim.get(`/Users/${ada}`).expect(200)).body.groups).toEqual([
      { value: created['id'], $ref: `${scim.base}/Groups/${created['id']}`, display: 'Engineering', type: 'direct' },
    ]);
    const { body } = await scim.get('/Users', { filter: `groups.value eq "${created['id']}"` }).expect(200);
    expect(body.totalResults).toBe(2);
  });

  it('adds and removes members in the dialects of Okta and Entra ID', async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()];
    const { id } = await group([ada]);
    const change = (...operations: unknown[]) => scim.patch(`/Groups/${id}`, patch(...operations)).expect(200);
    await change({ op: 'Add', path: 'members', value: [{ value: bob }, { value: ada }] });
    expect(await membersOf(id)).toEqual([ada, bob]);
    await change({ op: 'remove', path: `members[value eq "${ada}"]` });
    expect(await membersOf(id)).toEqual([bob]);
    await change({ op: 'Remove', path: 'members', value: [{ value: bob }] });
    expect(await membersOf(id)).toEqual([]);
    await change({ op: 'replace', path: 'members', value: [{ value: eve }, { value: ada }] });
    expect(await membersOf(id)).toEqual([ada, eve]);
    await change({ op: 'add', value: { members: [{ value: bob }] } }, { op: 'replace', value: { id, displayName: 'Renamed' } });
    expect(await membersOf(id)).toEqual([ada, bob, eve]);
    expect((await scim.get(`/Groups/${id}`).expect(200)).body.displayName).toBe('Renamed');
    await change({ op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual([]);
    expect(await eventsOf(() => change({ op: 'remove', path: `members[value eq "${ada}"]` }))).toEqual([]);
  });

  it('replaces a group with PUT', async () => {
    const [ada, bob] = [await user(), await user()];
    const { id } = await group([ada], { externalId: 'x' });
    const types = await eventsOf(() =>
      scim.put(`/Groups/${id}`, { displayName: 'Only Bob', members: [{ value: bob }] }).expect(200),
    );
    expect(types).toEqual(['group.updated', 'group.member_removed', 'group.member_added']);
    const { body } = await scim.get(`/Groups/${id}`).expect(200);
    expect(body).toMatchObject({ displayName: 'Only Bob', members: [{ value: bob }] });
    expect(body).not.toHaveProperty('externalId');
  });

  it(`adds and removes ${MEMBERS} members with one request each`, async () => {
    const own = await startScim(app, 'Large');
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: Array.from({ length: MEMBERS }, (_, index) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${index}`,
        data: { userName: `large${index}@large.example` },
      })),
    };
    const { body: bulk } = await own.scim.post('/Bulk', body).expect(200);
    const ids: string[] = bulk.Operations.map(({ location }: { location: string }) =>
      location.slice(location.lastIndexOf('/') + 1),
    );
    expect(new Set(ids).size).toBe(MEMBERS);
    const { id } = (await own.scim.post('/Groups', { displayName: 'All' }).expect(201)).body;
    const value = ids.map((each) => ({ value: each }));
    await own.scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value })).expect(204);
    expect((await own.scim.get(`/Groups/${id}`).expect(200)).body.members).toHaveLength(MEMBERS);
    expect((await own.scim.get(`/Groups/${id}`, { excludedAttributes: 'members' }).expect(200)).body).not.toHaveProperty(
      'members',
    );
    const removal = patch({ op: 'remove', path: 'members', value: value.slice(1) });
    const { body: group } = await own.scim.patch(`/Groups/${id}`, removal).expect(200);
    expect(group.members).toHaveLength(1);
    expect((await own.scim.get(`/Groups/${id}`).expect(200)).body).toEqual(group);
  }, 120_000);

  it.each([
    ['a group as member', [{ value: 'group_01kf2bav4hf7r8v2m5n9q1c3ek' }], "can't be a member of another group"],
    ['a member of type Group', [{ value: 'x', type: 'Group' }], "can't be a member of another group"],
    ['an unknown user', [{ value: 'usr_01kf2bav4hf7r8v2m5n9q1c3ek' }], 'does not exist'],
    ['a member without a value', [{ display: 'Ada' }], 'needs the id of a user'],
  ])('rejects %s', async (_name, value, detail) => {
    const { id } = await group();
    for (const response of [
      await scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value })).expect(400),
      await scim.post('/Groups', { displayName: `Group ${++count}`, members: value }).expect(400),
    ])
      expect(response.body).toMatchObject({ scimType: 'invalidValue', detail: expect.stringContaining(detail) });
  });

  it('rejects a name that another group has, also a group of the API', async () => {
    await app.api.platform.post(`/v1/organizations/${org}/groups`, { name: 'Local' }).expect(201);
    const { body } = await scim.post('/Groups', { displayName: 'Local' }).expect(409);
    expect(body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const { body: missing } = await scim.post('/Groups', {}).expect(400);
    expect(missing).toMatchObject({ scimType: 'invalidValue', detail: 'The attribute "displayName" is required.' });
  });

  it.each(sized(NAMES.slice(0, 2), NAMES, NAMES))(
    'finds the group %s by its name, and accepts no other spelling',
    async (displayName) => {
      const { id } = await group([], { displayName });
      for (const name of [displayName, displayName.toUpperCase(), displayName.toLowerCase(), displayName.normalize('NFC')]) {
        const filters = [`displayName eq "${name}"`, `displayName sw "${name}"`];
        for (const filter of filters)
          expect([
            filter,
            (await scim.get('/Groups', { filter }).expect(200)).body.Resources.map((each: { id: string }) => each.id),
          ]).toEqual([filter, [id]]);
        expect((await scim.post('/Groups', { displayName: name }).expect(409)).body.scimType).toBe('uniqueness');
        expect((await app.api.platform.post(`/v1/organizations/${org}/groups`, { name }).expect(409)).body.code).toBe(
          'group_name_taken',
        );
      }
    },
  );

  it('adds members whatever roles the group has, and shows the role to the member', async () => {
    const ada = await user();
    const { id } = await group();
    await app.api.platform.post(`/v1/organizations/${org}/groups/${id}/roles`, { roleId: 'role_admin' }).expect(201);
    await scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: ada }] })).expect(200);
    const check = { userId: ada, permission: 'users:write' };
    const { data } = (await app.api.platform.post(`/v1/organizations/${org}/permissions/check`, check).expect(200)).body;
    expect(data.allowed).toBe(true);
  });

  it('accepts every resource as it was listed, without an event', async () => {
    const { org, scim } = await startScim(app, 'As listed', { allowLocalChanges: true });
    const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const names = ['Zoë', ' Cafe\u0301 ', '=1+1', 'İzmir', '"quoted", \\', '名前'];
    const ids: string[] = [];
    for (const [index, givenName] of names.entries()) {
      const userName = `listed${index}@example.com`;
      const { body } = await scim
        .post('/Users', {
          userName,
          externalId: `e-${index}`,
          name: { givenName, familyName: givenName, formatted: givenName },
          active: index !== 1,
          emails: [
            { value: userName, primary: true },
            { value: `home-${userName}`, type: 'home' },
          ],
          phoneNumbers: [{ value: 'tel:+1-201-555-0123' }],
          photos: [{ value: 'http://bücher.example/ä b.png' }, { value: 'https://bücher.example/ä.png' }],
          locale: 'de_DE',
          [ENTERPRISE]: { department: givenName, manager: { value: '26118915' } },
        })
        .expect(201);
      ids.push(body.id);
    }
    for (const displayName of names)
      await scim.post('/Groups', { displayName, members: ids.map((value) => ({ value })) }).expect(201);
    const changed = { firstName: 'Changed', displayName: 'Locally', phoneNumber: '+49 30 1', locale: 'fr', picture: null };
    await app.api.platform.patch(`/v1/organizations/${org}/users/${ids[0]}`, changed).expect(200);
    const events = await eventsDuring(app, async () => {
      for (const path of ['/Users', '/Groups']) {
        const { body } = await scim.get(path, { count: 100 }).expect(200);
        expect(body.Resources).toHaveLength(names.length);
        for (const resource of body.Resources)
          expect((await scim.put(`${path}/${resource.id}`, resource).expect(200)).body).toEqual(resource);
      }
    });
    expect(events).toEqual([]);
  });

  it('changes the version with the members', async () => {
    const { id, meta } = await group();
    await scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: await user() }] })).expect(200);
    const change = { headers: { 'If-Match': meta.version } };
    await scim.patch(`/Groups/${id}`, patch({ op: 'replace', path: 'displayName', value: 'x' }), change).expect(412);
    const { body } = await scim.get(`/Groups/${id}`).expect(200);
    const removal = () => scim.delete(`/Groups/${id}`, { headers: { 'If-Match': body.meta.version } }).expect(204);
    expect(await eventsOf(removal)).toEqual(['group.deleted']);
    await scim.get(`/Groups/${id}`).expect(404);
  });

  it('filters groups', async () => {
    const ada = await user();
    const { id } = await group([ada], { displayName: 'Filter me', externalId: 'f-1' });
    const { version } = (await scim.get(`/Groups/${id}`).expect(200)).body.meta;
    const found = async (filter: string) =>
      (await scim.get('/Groups', { filter }).expect(200)).body.Resources.map((each: { id: string }) => each.id);
    for (const filter of [
      'displayName eq "FILTER me"',
      'externalId eq "f-1"',
      `members.value eq "${ada}"`,
      `members[value eq "${ada}"]`,
      `members eq "${ada}" or members.$ref ew "/Users/${ada}"`,
      `members.value sw "${ada}" and members[type eq "user" and $ref pr] and members pr and schemas co "Group" and externalId pr`,
      `displayName eq " Filter me " and meta.version eq ${JSON.stringify(version)}`,
      `id eq "${id}"`,
    ])
      expect([filter, await found(filter)]).toEqual([filter, [id]]);
    expect((await scim.get('/Groups', { filter: 'userName eq "x"' }).expect(400)).body.scimType).toBe('invalidFilter');
  });

  it('searches users and groups together', async () => {
    const own = await startScim(app, 'Search');
    const created = await user(own.scim);
    const { id } = (await own.scim.post('/Groups', { displayName: 'All' }).expect(201)).body;
    const search = async (body: object) => (await own.scim.post('/.search', body).expect(200)).body;
    const all = await search({ count: 10 });
    expect(all).toMatchObject({ totalResults: 2, startIndex: 1 });
    expect(all.Resources.map((each: { id: string }) => each.id)).toEqual([created, id]);
    expect((await search({ startIndex: 2 })).Resources.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await search({ filter: 'displayName eq "all"' })).Resources.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await search({ filter: 'userName pr' })).totalResults).toBe(1);
    expect((await search({ filter: 'schemas ew ":Group"' })).Resources.map((each: { id: string }) => each.id)).toEqual([id]);
    await own.scim.post('/.search', { filter: 'shoeSize pr' }).expect(400);
  });

  it('executes operations that refer to each other, and reports each status', async () => {
    const { body } = await scim
      .post('/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [
          { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'Bulk', members: [{ value: 'bulkId:u' }] } },
          { method: 'POST', path: '/Users', bulkId: 'u', data: { userName: 'bulk@example.com' } },
          { method: 'PATCH', path: '/Users/bulkId:u', data: patch({ op: 'add', path: 'title', value: 'x' }) },
          { method: 'POST', path: '/Users', bulkId: 'again', data: { userName: 'bulk@example.com' } },
          { method: 'DELETE', path: '/Groups/group_unknown' },
          {
            method: 'POST',
            path: '/Groups',
            bulkId: 'lost',
            data: { displayName: 'Lost', members: [{ value: 'bulkId:nobody' }] },
          },
        ],
      })
      .expect(200);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['201', '201', '200', '409', '404', '400']);
    expect(body.Operations[3].response).toMatchObject({ scimType: 'uniqueness', status: '409' });
    const { body: groups } = await scim.get('/Groups', { filter: 'displayName eq "Bulk" or displayName eq "Lost"' }).expect(200);
    expect(groups.Resources).toMatchObject([{ displayName: 'Bulk', members: [{}] }]);
  });

  it('stops after the errors that the request allows', async () => {
    const Operations = ['a', 'b', 'c'].map((bulkId) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: { userName: 'no address' },
    }));
    const { body } = await scim.post('/Bulk', { failOnErrors: 2, Operations }).expect(200);
    expect(body.Operations).toHaveLength(2);
  });

  it('rejects malformed bulk requests', async () => {
    const types = async (Operations: unknown) => (await scim.post('/Bulk', { Operations }).expect(400)).body.scimType;
    expect(await types('x')).toBe('invalidSyntax');
    expect(await types([{ method: 'GET', path: '/Users' }])).toBe('invalidSyntax');
    expect(await types([{ method: 'POST', path: '/Users', data: {} }])).toBe('invalidSyntax');
    expect(await types([{ method: 'POST', path: '/Shoes', bulkId: 'a' }])).toBe('invalidPath');
    const many = Array.from({ length: 1_001 }, () => ({ method: 'DELETE', path: '/Users/x' }));
    expect((await scim.post('/Bulk', { Operations: many }).expect(413)).body.status).toBe('413');
    const large = {
      Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'x'.repeat(4 * 1024 * 1024) } }],
    };
    expect((await scim.post('/Bulk', large).expect(413)).body.detail).toBe(
      'The request body is larger than 4 MB. Send a smaller one.',
    );
  });

  it('describes itself', async () => {
    const { body: config } = await scim.get('/ServiceProviderConfig').expect(200);
    expect(config).toMatchObject({
      patch: { supported: true },
      etag: { supported: true },
      pagination: { cursor: true, index: true },
    });
    const { body: types } = await scim.get('/ResourceTypes').expect(200);
    expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
    const { body: schemas } = await scim.get('/Schemas').expect(200);
    expect(schemas.totalResults).toBe(3);
    for (const { id } of schemas.Resources) expect((await scim.get(`/Schemas/${id}`).expect(200)).body.id).toBe(id);
    expect((await scim.get('/Schemas/urn:nothing').expect(404)).body).toMatchObject({ status: '404' });
    await scim.get('/ResourceTypes/Shoe').expect(404);
  });

  it('answers unknown paths, methods and broken bodies in its own format', async () => {
    expect((await scim.get('/Shoes').expect(404)).body).toMatchObject({ status: '404', detail: expect.any(String) });
    expect((await scim.put('/Users', {}).expect(405)).body).toMatchObject({ status: '405' });
    const headers = { authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' };
    const url = `${app.url}/scim/v2/${scim.connectionId}/Users`;
    const broken = await fetch(url, { method: 'POST', headers, body: '{' });
    expect(await broken.json()).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
    const accepted = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ userName: 'typed@example.com' }) });
    expect(accepted.status).toBe(201);
    const other = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'text/xml' }, body: '<a/>' });
    expect([other.status, ((await other.json()) as { status: string }).status]).toEqual([415, '415']);
  });
});
