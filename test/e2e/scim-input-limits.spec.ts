import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { connectScim, type ScimClient, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';

const patch = (...Operations: unknown[]) => ({ Operations });
const valuesOf = (operation: number) => Array.from({ length: 100 }, (_, index) => ({ value: `${operation}-${index}` }));

describe('limits of SCIM requests', () => {
  const app = testApp();
  let org: string;
  let scim: ScimClient;
  let user: string;
  let group: string;

  beforeAll(async () => {
    ({ org, scim } = await startScim(app, 'Acme'));
    user = (await scim.post('/Users', { userName: 'ada@acme.example', ims: valuesOf(0) }).expect(201)).body.id;
    group = (await scim.post('/Groups', { displayName: 'Team' }).expect(201)).body.id;
  });

  it('rejects identifiers and addresses that no index can store', async () => {
    const long = randomBytes(2_000).toString('hex').slice(0, 4_000);
    const emails = [{ value: 'bob@acme.example', primary: true }];
    for (const attributes of [
      { userName: long, emails },
      { userName: 'bob@acme.example', externalId: long },
      { userName: 'bob@acme.example', emails: [...emails, { value: long }] },
    ]) {
      expect((await scim.post('/Users', attributes).expect(400)).body.scimType).toBe('invalidValue');
      expect((await scim.put(`/Users/${user}`, attributes).expect(400)).body.scimType).toBe('invalidValue');
    }
    const { body } = await scim.post('/Users', { userName: 'ж'.repeat(500), externalId: 'x'.repeat(500), emails }).expect(201);
    await scim.delete(`/Users/${body.id}`).expect(204);
  });

  it('rejects ids with NUL and times that the database does not know', async () => {
    for (const op of ['add', 'remove', 'replace'])
      await scim.patch(`/Groups/${group}`, patch({ op, path: 'members', value: [{ value: 'usr_\0' }] })).expect(400);
    await scim.post('/Bulk', { Operations: [{ method: 'DELETE', path: '/Users/usr_\0' }] }).expect(400);
    for (const time of ['-200000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z'])
      expect((await scim.get('/Users', { filter: `meta.created gt "${time}"` }).expect(400)).body.scimType).toBe('invalidFilter');
  });

  it('rejects text that is not valid Unicode', async () => {
    const text = 'a\ud800';
    const bodies: object[] = [
      { userName: text, emails: [{ value: 'eve@acme.example' }] },
      { userName: 'eve@acme.example', displayName: text },
      { userName: 'eve@acme.example', externalId: text },
      { userName: 'eve@acme.example', title: text },
      { userName: 'eve@acme.example', ims: [{ value: text }] },
    ];
    for (const body of bodies) expect((await scim.post('/Users', body).expect(400)).body.scimType).toBe('invalidValue');
    await scim.patch(`/Users/${user}`, patch({ op: 'add', path: 'title', value: text })).expect(400);
    await scim.patch(`/Users/${user}`, patch({ op: 'add', path: `ims[type eq "${text}"].value`, value: 'x' })).expect(400);
    await scim.post('/Groups', { displayName: text }).expect(400);
  });

  it.each([
    ['{"userName":"eve","displayName":"Zo\xeb"}', 'invalidSyntax'],
    ['{"userName":"eve","userName":"mallory"}', 'invalidValue'],
    ['{"userName":"eve","x":1546130668394913822}', 'invalidValue'],
    [`{"userName":"eve","x":[${'{},'.repeat(250_000)}1]}`, 'invalidSyntax'],
  ])('rejects JSON that it would read differently than the client, or slowly (case %#)', async (body, scimType) => {
    const path = `/scim/v2/${scim.connectionId}/Users`;
    const headers = { 'content-type': 'application/scim+json' };
    const response = await app.api.as(scim.token).raw('POST', path, Buffer.from(body, 'latin1'), headers).expect(400);
    expect(response.body.scimType).toBe(scimType);
  });

  it('rejects a PATCH request that would compare many values with each other, without blocking other requests', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ op: 'add', path: 'ims', value: valuesOf(index) }));
    const start = performance.now();
    expect((await scim.patch(`/Users/${user}`, patch(...many)).expect(400)).body.detail).toContain('more than 100 values');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('limits the operations of a PATCH request and the conditions in their paths', async () => {
    // An operation without a path counts as one for each attribute.
    const value = { title: 'x', nickName: 'x', userType: 'x', timezone: 'x' };
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'add', value }));
    expect((await scim.patch(`/Users/${user}`, patch(...operations(251))).expect(400)).body.scimType).toBe('invalidSyntax');
    await scim.patch(`/Users/${user}`, patch(...operations(250))).expect(200);

    const path = `ims[${Array.from({ length: 90 }, () => 'display eq "a"').join(' or ')}]`;
    const filters = Array.from({ length: 12 }, () => ({ op: 'remove', path }));
    expect((await scim.patch(`/Users/${user}`, patch(...filters)).expect(400)).body.scimType).toBe('invalidPath');
    await scim.patch(`/Users/${user}`, patch(...filters.slice(0, 11))).expect(200);
  });

  it('limits the concurrent searches of a connection', async () => {
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
      await (await connectScim(app, org)).get('/Users', { excludedAttributes: 'groups' }).expect(200);
      await client.query('COMMIT');
      expect((await Promise.all(searches)).map(({ status }) => status)).toContain(200);
    } finally {
      await client.end();
    }
  });

  it('has no /Me', async () => {
    for (const response of [scim.get('/Me'), scim.patch('/Me', patch({ op: 'remove', path: 'title' })), scim.delete('/Me')])
      expect((await response.expect(501)).body).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '501',
        detail: expect.stringContaining('/Users'),
      });
  });

  it('changes only members who meet all conditions of a filter', async () => {
    const filter = (condition: string) => patch({ op: 'remove', path: `members[${condition}]` });
    await scim.patch(`/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: user }] })).expect(200);
    const searches = Array.from({ length: 11 }, () => ({ op: 'remove', path: 'members[value co "x"]' }));
    expect((await scim.patch(`/Groups/${group}`, patch(...searches)).expect(400)).body.scimType).toBe('invalidPath');
    const { body } = await scim.patch(`/Groups/${group}`, filter(`value eq "${user}" and type eq "Group"`)).expect(200);
    expect(body.members).toHaveLength(1);
    expect((await scim.patch(`/Groups/${group}`, filter(`VALUE eq "${user}"`)).expect(200)).body).not.toHaveProperty('members');
  });
});
