import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newOrganization, newUser } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const app = testApp();
const { platform } = { platform: () => app.api.platform };

const search = async (by: TestClient, q: string, more = ''): Promise<{ results: TestBody[]; more: string[] }> =>
  (await by.get(`/v1/search?q=${encodeURIComponent(q)}${more}`).expect(200)).body.data;
const namesOf = async (by: TestClient, q: string): Promise<string[]> =>
  (await search(by, q)).results.map(({ type, name }) => `${type} ${name}`);

/** Creates one resource of each type whose name contains the word. */
async function everything(organization: string, word: string) {
  const make = async (path: string, body: object): Promise<string> => (await made(app, at(organization, path), body)).id;
  return {
    user: await make('/users', { email: `${word}@example.com`, firstName: word, lastName: 'Person' }),
    group: await make('/groups', { name: `${word} group` }),
    role: await make('/roles', { name: `${word}-role`, permissions: [] }),
    api_key: await make('/api-keys', { name: `${word} key`, scopes: ['users:read'] }),
    webhook: await make('/webhooks', { name: `${word} hook`, url: 'https://hooks.example.com', events: ['user.created'] }),
    oauth_client: await make('/oauth-clients', { name: `${word} app`, type: 'machine' }),
  };
}

const TYPES = ['user', 'organization', 'group', 'role', 'api_key', 'webhook', 'oauth_client'];

describe('a search', () => {
  let root: string;
  let north: string;
  let south: string;
  let ids: Record<string, string>;
  beforeAll(async () => {
    root = (await newOrganization(app, { name: 'Quorbit', slug: 'quorbit' })).id;
    north = (await newOrganization(app, { name: 'Quorbit North', parentId: root })).id;
    south = (await newOrganization(app, { name: 'Zephyr South', parentId: root })).id;
    ids = { ...(await everything(north, 'Zephyr')), organization: south };
  });

  it('finds each type with its organization and path, by text and by id', async () => {
    const { results, more } = await search(platform(), 'zÉPHyr');
    expect(more).toEqual([]);
    expect(results.map(({ type }) => type)).toEqual(TYPES);
    const above = { id: root, name: 'Quorbit' };
    const ofNorth = { organizationId: north, path: [above, { id: north, name: 'Quorbit North' }] };
    const ofSouth = { organizationId: south, path: [above, { id: south, name: 'Zephyr South' }] };
    const person = { type: 'user', id: ids['user'], name: 'Zephyr Person', detail: 'Zephyr@example.com', status: 'pending' };
    const [user, organization, , , key, webhook] = results;
    expect(user).toEqual({ ...person, ...ofNorth });
    expect(organization).toMatchObject({ id: south, detail: 'zephyr-south', status: 'active', ...ofSouth });
    expect(key).toMatchObject({ detail: expect.stringMatching(/^\w+_sk_\w+…\w{4}$/), status: null, ...ofNorth });
    expect(webhook).toMatchObject({ detail: 'https://hooks.example.com', status: 'enabled' });
    for (const type of TYPES)
      expect((await search(platform(), ` ${ids[type]} `)).results).toEqual([expect.objectContaining({ type, id: ids[type] })]);
    expect(await namesOf(platform(), 'ZEPHYR@EXAMPLE.COM')).toEqual(['user Zephyr Person']);
  });

  it('finds each type only for callers who can list it, where they can list it', async () => {
    const everyType = await search(platform(), 'zephyr');
    const permissions = {
      user: 'users:read',
      group: 'groups:read',
      role: 'roles:read',
      api_key: 'api_keys:read',
      webhook: 'webhooks:read',
      oauth_client: 'oauth_clients:read',
    };
    for (const [type, permission] of Object.entries(permissions)) {
      const { results } = await search(await keyClient(app, root, ['organizations:read', permission]), 'zephyr');
      expect(results).toEqual(everyType.results.filter((result) => ['organization', type].includes(result.type)));
    }
    const role = (await made(app, at(root, '/roles'), { name: 'reader', permissions: ['organizations:read'] })).id;
    const reader = await signedIn(app, root, { roles: [role] });
    expect(await namesOf(reader.client, 'zephyr')).toEqual(['organization Zephyr South']);
    expect((await search(reader.client, ids['user']!)).results).toEqual([]);
    await platform().post(at(north, '/members'), { userId: reader.id, role: 'viewer' }).expect(201);
    expect(await namesOf(reader.client, 'zephyr')).toEqual(await namesOf(platform(), 'zephyr'));
    await (await keyClient(app, root, ['users:read'])).get('/v1/search?q=zephyr').expect(403, 'forbidden');
  });

  it('shows an administrator nothing of sibling and ancestor organizations, but the inherited roles', async () => {
    await made(app, at(root, '/roles'), { name: 'Zephyr inherited', permissions: [] });
    const admin = await signedIn(app, south, { roles: ['admin'] });
    const { results } = await search(admin.client, 'zephyr');
    const path = [{ id: south, name: 'Zephyr South' }];
    expect(results.map(({ name, organizationId, path }) => ({ name, organizationId, path }))).toEqual([
      { name: 'Zephyr South', organizationId: south, path },
      { name: 'Zephyr inherited', organizationId: south, path },
    ]);
    for (const term of ['quorbit', 'zephyr@example.com', ...Object.values(ids).filter((id) => id !== south)])
      expect(await search(admin.client, term)).toEqual({ results: [], more: [] });
  });

  it('finds a member of several organizations once, and guests by their names, without deleted people', async () => {
    const tenant = (await newOrganization(app)).id;
    const guest = (await newUser(app, tenant, { email: 'wim@guests.example', displayName: 'Wim Vermeulen' })).id;
    for (const organization of [north, south]) await platform().post(at(organization, '/members'), { userId: guest }).expect(201);
    const owner = await signedIn(app, root, { roles: ['owner'] });
    for (const term of ['vermeul', 'wi', 'wim@guests.example'])
      // A short text can also be in the random prefix of a key.
      expect((await search(owner.client, term)).results.filter(({ type }: TestBody) => type === 'user')).toMatchObject([
        { id: guest, name: 'Wim Vermeulen', detail: 'wim@guests.example', organizationId: north },
      ]);
    expect((await search(platform(), 'vermeulen')).results).toHaveLength(1);
    await platform()
      .delete(at(tenant, `/users/${guest}`))
      .expect(204);
    for (const term of ['vermeulen', 'wim@guests.example', guest]) expect(await namesOf(platform(), term)).toEqual([]);
  });

  it('finds nothing in organizations whose rules the session does not satisfy', async () => {
    const owner = await signedIn(app, root, { roles: ['owner'] });
    await platform()
      .patch(at(north), { settings: { requireMfa: true } })
      .expect(200);
    expect(await namesOf(owner.client, 'zephyr')).toEqual(['organization Zephyr South', 'role Zephyr inherited']);
    await platform()
      .patch(at(north), { settings: { requireMfa: null } })
      .expect(200);
    expect(await namesOf(owner.client, 'zephyr')).toHaveLength(8);
  });

  it('matches special characters literally', async () => {
    const names = [
      '100% done',
      'under_score',
      'back\\slash',
      `it's "quoted"`,
      '日本語の部署',
      'naïve Œuvre',
      "'; DROP TABLE groups; --",
    ];
    for (const name of names) await made(app, at(south, '/groups'), { name });
    const found = async (q: string): Promise<string[]> => (await search(platform(), q)).results.map(({ name }) => name);
    for (const name of names) expect(await found(name)).toEqual([name]);
    const terms: [string, string[]][] = [
      ['0%', ['100% done']],
      ['r_s', ['under_score']],
      ['%_%', []],
      ['k\\s', ['back\\slash']],
      ['本語', ['日本語の部署']],
      ['naive oeu', ['naïve Œuvre']],
      ['\u0301', []],
    ];
    for (const [q, expected] of terms) expect([q, await found(q)]).toEqual([q, expected]);
  });

  it('returns the best results up to the limit of each type, and the types with more', async () => {
    for (const name of ['hypercorn', 'Popcorn', 'Corn exchange', 'sweet corn']) await made(app, at(south, '/groups'), { name });
    for (const email of ['unicorn@example.com', 'corn@example.com']) await newUser(app, south, { email });
    const { results, more } = await search(platform(), 'corn', '&limit=2');
    expect(results.map(({ name }) => name)).toEqual(['corn@example.com', 'unicorn@example.com', 'Corn exchange', 'sweet corn']);
    expect(more).toEqual(['group']);
    for (const query of ['', '?q=', '?q=x&limit=0', '?q=x&limit=21', `?q=${'x'.repeat(255)}`])
      await platform().get(`/v1/search${query}`).expect(400, 'validation_failed');
  });
});
