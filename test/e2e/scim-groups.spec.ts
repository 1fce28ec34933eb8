import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring, typesDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { at, checkPermission, read } from '../support/organizations.js';
import { creations, patch, type ScimClient, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const NAMES = ['İzmir', 'Zoe\u0308', 'Straße', 'ΟΔΟΣ', 'Sales'];
/** More members than `MAX_MEMBERS_AFTER_PATCH`. */
const MEMBERS = sized(501, 1_000, 1_000);

describe('SCIM groups', () => {
  const app = testApp();
  let org: string;
  let scim: ScimClient;
  let count = 0;

  const user = async (client = scim): Promise<string> =>
    (await client.create('/Users', { userName: `member${++count}@example.com` })).id;
  const group = async (members: string[] = [], fields: object = {}) =>
    scim.create('/Groups', { displayName: `Group ${++count}`, members: members.map((value) => ({ value })), ...fields });

  beforeAll(async () => {
    ({ org, scim } = await startScim(app, 'Acme'));
  });

  it('creates a group with members, which the API and the users show', async () => {
    const [ada, bob] = [await user(), await user()];
    let created: TestBody;
    const create = async () => (created = await group([ada, bob], { displayName: 'Engineering', externalId: 'g-1' }));
    const types = await typesDuring(app, create);
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
    const shown = { name: 'Engineering', memberCount: 2, managedBy: scim.connectionId };
    expect(await read(app, at(org, `/groups/${created.id}`))).toMatchObject(shown);
    expect((await scim.read(`/Users/${ada}`)).groups).toEqual([
      { value: created.id, $ref: `${scim.base}/Groups/${created.id}`, display: 'Engineering', type: 'direct' },
    ]);
    expect(await scim.find('/Users', `groups.value eq "${created.id}"`)).toEqual([ada, bob]);
  });

  it('replaces a group with PUT', async () => {
    const [ada, bob] = [await user(), await user()];
    const { id } = await group([ada], { externalId: 'x' });
    const types = await typesDuring(app, () =>
      scim.put(`/Groups/${id}`, { displayName: 'Only Bob', members: [{ value: bob }] }).expect(200),
    );
    expect(types).toEqual(['group.updated', 'group.member_removed', 'group.member_added']);
    const { body } = await scim.get(`/Groups/${id}`).expect(200);
    expect(body).toMatchObject({ displayName: 'Only Bob', members: [{ value: bob }] });
    expect(body).not.toHaveProperty('externalId');
  });

  it(`adds and removes ${MEMBERS} members with one request each`, async () => {
    const own = await startScim(app, 'Large');
    const names = Array.from({ length: MEMBERS }, (_, index) => `large${index}@large.example`);
    const { body: bulk } = await own.scim.post('/Bulk', { Operations: creations(names) }).expect(200);
    const ids: string[] = bulk.Operations.map(({ location }: { location: string }) =>
      location.slice(location.lastIndexOf('/') + 1),
    );
    expect(new Set(ids).size).toBe(MEMBERS);
    const { id } = await own.scim.create('/Groups', { displayName: 'All' });
    const value = ids.map((each) => ({ value: each }));
    await own.scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value })).expect(204);
    expect((await own.scim.read(`/Groups/${id}`)).members).toHaveLength(MEMBERS);
    expect(await own.scim.read(`/Groups/${id}`, { excludedAttributes: 'members' })).not.toHaveProperty('members');
    const removal = patch({ op: 'remove', path: 'members', value: value.slice(1) });
    const { body: group } = await own.scim.patch(`/Groups/${id}`, removal).expect(200);
    expect(group.members).toHaveLength(1);
    expect(await own.scim.read(`/Groups/${id}`)).toEqual(group);
  }, 120_000);

  it('rejects an unknown user as member', async () => {
    const value = [{ value: 'usr_01kf2bav4hf7r8v2m5n9q1c3ek' }];
    const operation = patch({ op: 'add', path: 'members', value });
    await scim.patch(`/Groups/${(await group()).id}`, operation).expect(400, 'invalidValue', 'does not exist');
  });

  it('ignores users of the connection who were deleted or removed from the organization', async () => {
    const { org, scim, path } = await startScim(app, 'Former', { allowLocalChanges: true });
    const [ada, bob, eve] = [await user(scim), await user(scim), await user(scim)];
    await app.api.platform.delete(at(org, `/members/${bob}`)).expect(204);
    await scim.delete(`/Users/${eve}`).expect(204);
    const members = [ada, bob, eve].map((value) => ({ value }));
    const shown = [expect.objectContaining({ value: ada })];
    const { id, members: created } = await scim.create('/Groups', { displayName: 'Team', members });
    expect(created).toEqual(shown);
    const add = patch({ op: 'add', path: 'members', value: members });
    for (const response of [scim.put(`/Groups/${id}`, { displayName: 'Team', members }), scim.patch(`/Groups/${id}`, add)])
      expect((await response.expect(200)).body.members).toEqual(shown);
    await app.api.platform.post(`${path}/start-preview`).expect(200);
    expect((await scim.create('/Groups', { displayName: 'Previewed', members })).members).toEqual(shown);
  });

  it('rejects a name that another group has, also a group of the API', async () => {
    await app.api.platform.post(at(org, '/groups'), { name: 'Local' }).expect(201);
    await scim.post('/Groups', { displayName: 'Local' }).expect(409, 'uniqueness');
    const { body: missing } = await scim.post('/Groups', {}).expect(400);
    expect(missing).toMatchObject({ scimType: 'invalidValue', detail: 'The attribute "displayName" is required.' });
  });

  it.each(sized(NAMES.slice(0, 2), NAMES, NAMES))(
    'finds the group %s by its name, and accepts no other spelling',
    async (displayName) => {
      const { id } = await group([], { displayName });
      for (const name of [displayName, displayName.toUpperCase(), displayName.toLowerCase(), displayName.normalize('NFC')]) {
        for (const filter of [`displayName eq "${name}"`, `displayName sw "${name}"`])
          expect([filter, await scim.find('/Groups', filter)]).toEqual([filter, [id]]);
        await scim.post('/Groups', { displayName: name }).expect(409, 'uniqueness');
        await app.api.platform.post(at(org, '/groups'), { name }).expect(409, 'group_name_taken');
      }
    },
  );

  it('adds members whatever roles the group has, and shows the role to the member', async () => {
    const ada = await user();
    const { id } = await group();
    await app.api.platform.post(at(org, `/groups/${id}/roles`), { roleId: 'role_admin' }).expect(201);
    await scim.patch(`/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: ada }] })).expect(200);
    expect((await checkPermission(app, org, ada, 'users:write')).allowed).toBe(true);
  });

  it('accepts every resource as it was listed, without an event', async () => {
    const { org, scim } = await startScim(app, 'As listed', { allowLocalChanges: true });
    const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const names = ['Zoë', ' Cafe\u0301 ', '=1+1', 'İzmir', '"quoted", \\', '名前'];
    const ids: string[] = [];
    for (const [index, givenName] of names.entries()) {
      const userName = `listed${index}@example.com`;
      const { id } = await scim.create('/Users', {
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
      });
      ids.push(id);
    }
    for (const displayName of names)
      await scim.post('/Groups', { displayName, members: ids.map((value) => ({ value })) }).expect(201);
    const changed = { firstName: 'Changed', displayName: 'Locally', phoneNumber: '+49 30 1', locale: 'fr', picture: null };
    await app.api.platform.patch(at(org, `/users/${ids[0]}`), changed).expect(200);
    const events = await eventsDuring(app, async () => {
      for (const path of ['/Users', '/Groups']) {
        const { Resources } = await scim.read(path, { count: 100 });
        expect(Resources).toHaveLength(names.length);
        for (const resource of Resources)
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
    const { version } = (await scim.read(`/Groups/${id}`)).meta;
    const removal = () => scim.delete(`/Groups/${id}`, { headers: { 'If-Match': version } }).expect(204);
    expect(await typesDuring(app, removal)).toEqual(['group.deleted']);
    await scim.get(`/Groups/${id}`).expect(404);
  });

  it('filters groups', async () => {
    const ada = await user();
    const { id } = await group([ada], { displayName: 'Filter me', externalId: 'f-1' });
    const { version } = (await scim.read(`/Groups/${id}`)).meta;
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
      expect([filter, await scim.find('/Groups', filter)]).toEqual([filter, [id]]);
    await scim.get('/Groups', { filter: 'userName eq "x"' }).expect(400, 'invalidFilter');
  });

  it('searches users and groups together', async () => {
    const own = await startScim(app, 'Search');
    const created = await user(own.scim);
    const { id } = await own.scim.create('/Groups', { displayName: 'All' });
    for (const [body, found, totalResults] of [
      [{ count: 10 }, [created, id], 2],
      [{ startIndex: 2 }, [id], 2],
      [{ filter: 'displayName eq "all"' }, [id], 1],
      [{ filter: 'userName pr' }, [created], 1],
      [{ filter: 'schemas ew ":Group"' }, [id], 1],
    ] as const) {
      const { body: list } = await own.scim.post('/.search', body).expect(200);
      expect(list).toMatchObject({ totalResults, Resources: found.map((each) => ({ id: each })) });
    }
    await own.scim.post('/.search', { filter: 'shoeSize pr' }).expect(400);
  });

  it('executes operations that refer to each other, and reports each status', async () => {
    const team = (bulkId: string, displayName: string, value: string) => ({
      method: 'POST',
      path: '/Groups',
      bulkId,
      data: { displayName, members: [{ value }] },
    });
    const Operations = [
      team('g', 'Bulk', 'bulkId:u0'),
      ...creations(['bulk@example.com']),
      { method: 'PATCH', path: '/Users/bulkId:u0', data: patch({ op: 'add', path: 'title', value: 'x' }) },
      { method: 'POST', path: '/Users', bulkId: 'again', data: { userName: 'bulk@example.com' } },
      { method: 'DELETE', path: '/Groups/group_unknown' },
      team('lost', 'Lost', 'bulkId:nobody'),
    ];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    const { body } = await scim.post('/Bulk', { schemas, Operations }).expect(200);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['201', '201', '200', '409', '404', '400']);
    expect(body.Operations[3].response).toMatchObject({ scimType: 'uniqueness', status: '409' });
    const { Resources } = await scim.read('/Groups', { filter: 'displayName eq "Bulk" or displayName eq "Lost"' });
    expect(Resources).toMatchObject([{ displayName: 'Bulk', members: [{}] }]);
  });

  it('stops a bulk request after the errors that it allows, and rejects malformed requests', async () => {
    const Operations = creations(Array(3).fill('no address'));
    const { body } = await scim.post('/Bulk', { failOnErrors: 2, Operations }).expect(200);
    expect(body.Operations).toHaveLength(2);
    const types = async (Operations: unknown) => (await scim.post('/Bulk', { Operations }).expect(400)).body.scimType;
    expect(await types('x')).toBe('invalidSyntax');
    expect(await types([{ method: 'GET', path: '/Users' }])).toBe('invalidSyntax');
    expect(await types([{ method: 'POST', path: '/Users', data: {} }])).toBe('invalidSyntax');
    expect(await types([{ method: 'POST', path: '/Shoes', bulkId: 'a' }])).toBe('invalidPath');
    const many = Array.from({ length: 1_001 }, () => ({ method: 'DELETE', path: '/Users/x' }));
    expect((await scim.post('/Bulk', { Operations: many }).expect(413)).body.status).toBe('413');
    const large = await scim.post('/Bulk', { Operations: creations(['x'.repeat(4 * 1024 * 1024)]) }).expect(413);
    expect(large.body.detail).toBe('The request body is larger than 4 MB. Send a smaller one.');
  });

  it('describes itself, and answers unknown paths, methods and broken bodies in its own format', async () => {
    const supported = { supported: true };
    const features = { patch: supported, etag: supported, pagination: { cursor: true, index: true } };
    expect(await scim.read('/ServiceProviderConfig')).toMatchObject(features);
    expect((await scim.read('/ResourceTypes')).Resources).toMatchObject([{ id: 'User' }, { id: 'Group' }]);
    const schemas = await scim.read('/Schemas');
    expect(schemas.totalResults).toBe(3);
    for (const { id } of schemas.Resources) expect((await scim.read(`/Schemas/${id}`)).id).toBe(id);
    expect((await scim.get('/Schemas/urn:nothing').expect(404)).body).toMatchObject({ status: '404' });
    await scim.get('/ResourceTypes/Shoe').expect(404);
    expect((await scim.get('/Shoes').expect(404)).body).toMatchObject({ status: '404', detail: expect.any(String) });
    expect((await scim.put('/Users', {}).expect(405)).body).toMatchObject({ status: '405' });
    for (const response of [scim.get('/Me'), scim.patch('/Me', patch()), scim.delete('/Me')])
      expect((await response.expect(501)).body).toMatchObject({ status: '501', detail: expect.stringContaining('/Users') });
    const send = (body: string, type: string) =>
      app.api.as(scim.token).raw('POST', `/scim/v2/${scim.connectionId}/Users`, body, { 'content-type': type });
    await send('{', 'application/scim+json').expect(400, 'invalidSyntax');
    await send('{"userName":"typed@example.com"}', 'application/scim+json').expect(201);
    expect((await send('<a/>', 'text/xml').expect(415)).body.status).toBe('415');
  });
});
