import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import { made, read } from '../support/organizations.js';
import { connectScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';

/** More users than a batch of the export, which has 200. */
const USERS = 450;

describe('the user export', () => {
  const app = testApp();
  beforeAll(async () => {
    await organizationWithRole('acme');
    const users = Array.from({ length: USERS }, (_, index) => ({
      email: `user${index}@example.com`,
      externalId: `e-${index}`,
      ...UNUSUAL[index % UNUSUAL.length],
    }));
    const lines = await importTo('acme', users.map((user) => JSON.stringify(user)).join('\n'), 'application/x-ndjson');
    expect(lines.at(-1)).toMatchObject({ summary: { created: USERS }, complete: true });
  });

  const UNUSUAL: readonly object[] = [
    {
      firstName: 'Zoë',
      lastName: '=1+1',
      displayName: '"quoted", and more',
      phoneNumber: '+49 30 1',
      locale: 'de-CH',
      metadata: { a: [1, null, '=x'] },
    },
    {
      firstName: '@cmd',
      lastName: '-5',
      displayName: "'=already",
      roles: ['night; shift', 'viewer'],
      picture: 'https://example.com/a,b',
    },
    { status: 'active', emailVerified: true, roles: ['viewer', 'admin'] },
  ];

  const organizationWithRole = async (slug: string): Promise<void> => {
    await made(app, '/v1/organizations', { name: slug, slug });
    await made(app, `/v1/organizations/${slug}/roles`, { name: 'night; shift', permissions: ['shifts:open'] });
  };
  const objectsOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const importTo = async (slug: string, body: string, type: string) => {
    const path = `/v1/organizations/${slug}/users/import`;
    return objectsOf((await app.api.platform.raw('POST', path, body, { 'content-type': type }).expect(200)).body);
  };
  const exported = async (slug: string, query = ''): Promise<{ text: string; headers: Headers }> => {
    const { body, headers } = await app.api.platform.get(`/v1/organizations/${slug}/users/export${query}`).expect(200);
    return { text: body, headers };
  };
  /** Returns the exported users, sorted by email, without the values that differ between organizations. */
  const comparable = (text: string) =>
    objectsOf(text)
      .map(({ id, createdAt, updatedAt, ...user }) => [typeof (id + createdAt + updatedAt), user])
      .sort(([, a], [, b]) => (a.email < b.email ? -1 : 1));

  it('contains every user once, newest first, and accepts the filters of the user list', async () => {
    const { text, headers } = await exported('acme');
    const users = objectsOf(text);
    expect(new Set(users.map(({ email }) => email)).size).toBe(USERS);
    expect(users.map(({ id }) => id)).toEqual(
      users
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/x-ndjson',
      'attachment; filename="users-acme.ndjson"',
    ]);
    const shown = (await app.api.platform.get(`/v1/organizations/acme/users/${users[0].id}`)).body.data;
    for (const field of Object.keys(users[0]).filter((name) => name !== 'roles')) expect(shown[field]).toEqual(users[0][field]);
    const emails = async (query: string) => objectsOf((await exported('acme', query)).text).map(({ email }) => email);
    expect(await emails('?email=USER7@example.com')).toEqual(['user7@example.com']);
    expect(await emails('?externalId=e-8')).toEqual(['user8@example.com']);
    expect(await emails('?search=user12')).toHaveLength(11);
    const active = (await app.api.platform.get('/v1/organizations/acme/users?status=active&limit=1')).body.pagination.total;
    expect(await emails('?status=active')).toHaveLength(active);
    expect(await emails('?role=admin&format=ndjson')).toHaveLength(active);
    expect((await exported('acme', '?search=nobody')).text).toBe('');
    expect((await exported('acme', '?search=nobody&format=csv')).text.split('\r\n')).toHaveLength(2);
  });

  describe('of users of every kind', () => {
    const at = (slug: string, rest = ''): string => `/v1/organizations/${slug}${rest}`;
    const post = (path: string, body: object = {}) => app.api.platform.post(path, body);
    const created = async (slug: string, fields: object): Promise<string> =>
      (await post(at(slug, '/users'), fields).expect(201)).body.data.id;

    beforeAll(async () => {
      for (const slug of ['mixed', 'elsewhere', 'fresh-ndjson', 'fresh-csv']) await organizationWithRole(slug);
      await post('/v1/organizations', { name: 'Child', slug: 'mixed-child', parentId: 'mixed' }).expect(201);
      const suspended = await created('mixed', { email: 'suspended@example.com', metadata: { kept: 1, removed: null } });
      await post(at('mixed', `/users/${suspended}/suspend`), { reason: '=left,\n"for good"' }).expect(200);
      await created('mixed', { email: 'pending@example.com', sendInvitation: true });
      const deleted = await created('mixed', { email: 'deleted@example.com', externalId: 'deleted' });
      await app.api.platform.delete(at('mixed', `/users/${deleted}`)).expect(204);
      const member = await created('mixed-child', { email: 'member@example.com', phoneNumber: '+1 415 555 0132' });
      await post(at('mixed', '/members'), { userId: member }).expect(201);
      const guest = await created('elsewhere', { email: 'guest@example.com', firstName: 'Guest' });
      await post(at('mixed', '/members'), { userId: guest }).expect(201);
      const scim = await connectScim(app, 'mixed');
      const resource = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'provisioned@example.com',
        name: { givenName: ' Cafe\u0301 ', familyName: 'Provisioned' },
        photos: [{ value: 'http://bücher.example/ä b.png' }],
        phoneNumbers: [{ value: 'tel:+1-201-555-0123' }],
        locale: 'de_DE',
      };
      for (const [userName, active] of [
        ['provisioned', true],
        ['inactive', false],
      ] as const)
        await scim.post('/Users', { ...resource, userName: `${userName}@example.com`, active }).expect(201);
      const names = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
        numRuns: sized(60, 200, 200),
        seed: SEED,
      });
      const users = [
        ...UNUSUAL.map((user, index) => ({ email: `unusual${index}@example.com`, ...user })),
        ...names.map((displayName, index) => ({ email: `random${index}@example.com`, displayName })),
      ];
      const lines = await importTo('mixed', users.map((user) => JSON.stringify(user)).join('\n'), 'application/x-ndjson');
      // Only names of invisible characters are refused.
      expect([SEED, lines.at(-1).summary.created > 30]).toEqual([SEED, true]);
    });

    const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
    it.each([
      ['ndjson', ''],
      ['csv', ''],
      ['ndjson', '&status=deleted'],
      ['csv', '&status=suspended'],
    ] as const)('can be imported into the same organization without an effect: %s%s', async (format, filter) => {
      const { text } = await exported('mixed', `?format=${format}${filter}`);
      const events = await eventsDuring(app, async () => {
        const lines = await importTo('mixed', text, FORMATS[format]);
        const { summary } = lines.at(-1);
        expect([SEED, lines.filter(({ status }) => status === 'failed' || status === 'updated')]).toEqual([SEED, []]);
        expect(summary.unchanged).toBe(summary.lines);
      });
      expect(events).toEqual([]);
    });

    it.each(['ndjson', 'csv'] as const)('can be imported into an empty organization of another tenant: %s', async (format) => {
      const target = `fresh-${format}`;
      const { text } = await exported('mixed', `?format=${format}`);
      const { text: deleted } = await exported('mixed', `?format=${format}&status=deleted`);
      const lines = await importTo(target, text, FORMATS[format]);
      expect([SEED, lines.at(-1).summary.created]).toEqual([SEED, lines.at(-1).summary.lines]);
      const withoutEffect = await importTo(target, deleted, FORMATS[format]);
      expect(withoutEffect.slice(0, -1)).toEqual([{ line: expect.any(Number), status: 'unchanged' }]);
      expect(comparable((await exported(target)).text)).toEqual(comparable((await exported('mixed')).text));
      const [copy] = await read(app, at(target, '/users?email=suspended@example.com'));
      const shown = await app.api.platform.get(at(target, `/users/${copy.id}`)).expect(200);
      expect(shown.body.data).toMatchObject({
        status: 'suspended',
        suspendedReason: '=left,\n"for good"',
        suspendedAt: copy.createdAt,
        metadata: { kept: 1 },
      });
      expect(await countDifferences(app.database)).toEqual([]);
    });

    it('keeps the status of existing users, and rejects changes of users whom another organization manages', async () => {
      const { text } = await exported('mixed', '?status=suspended');
      const activated = text.replaceAll('"suspended"', '"active"');
      expect((await importTo('mixed', activated, FORMATS.ndjson)).at(-1).summary.updated).toBe(0);
      expect(objectsOf((await exported('mixed', '?status=suspended')).text)).toEqual(objectsOf(text));
      const foreign = objectsOf((await exported('mixed')).text).filter(({ email }) => /^(guest|member)@/.test(email));
      const renamed = foreign.map((user) => JSON.stringify({ ...user, firstName: 'Renamed' })).join('\n');
      const lines = await importTo('mixed', renamed, FORMATS.ndjson);
      expect(lines.slice(0, -1).map(({ error }) => error?.code)).toEqual(['managed_elsewhere', 'managed_elsewhere']);
    });
  });

  it('contains no spreadsheet formulas', async () => {
    const { text, headers } = await exported('acme', '?format=csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="users-acme.csv"');
    const rows = parse(text);
    expect(rows).toHaveLength(USERS + 1);
    expect(rows[0]!.slice(0, 4)).toEqual(['id', 'externalId', 'email', 'emailVerified']);
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(rows.flat()).toEqual(expect.arrayContaining(["'=1+1", "'@cmd", "'-5", "''=already", "'+49 30 1"]));
  });

  it('stops reading when the client disconnects', async () => {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${app.platformKey}` };
    const response = await fetch(`${app.url}/v1/organizations/acme/users/export`, { headers, signal: stop.signal });
    const reader = response.body!.getReader();
    await reader.read();
    stop.abort();
    await expect(reader.read()).rejects.toThrow();
    await app.api.platform.get('/v1/organizations/acme/users?limit=1').expect(200);
  });
});
