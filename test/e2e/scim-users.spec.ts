import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { request } from 'undici';
import { typesDuring } from '../support/events-during.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { at, read } from '../support/organizations.js';
import { patch, type ScimClient, setActive, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('SCIM users', () => {
  const app = testApp();
  let org: string;
  let scim: ScimClient;

  const inApi = (id: string) => read(app, at(org, `/users/${id}`));
  let count = 0;
  const create = (fields: object = {}) => {
    const userName = `user${++count}@example.com`;
    return scim.create('/Users', { userName, emails: [{ value: userName, type: 'work', primary: true }], ...fields });
  };

  beforeAll(async () => {
    ({ org, scim } = await startScim(app, 'Acme'));
  });

  it('creates an active user with all attributes, and returns it', async () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      userName: 'Jane.Doe@example.com',
      externalId: '00u1',
      name: { givenName: 'Jane', familyName: 'Doe', formatted: 'Jane Doe' },
      displayName: 'Jane D.',
      title: 'Engineer',
      preferredLanguage: 'de_DE',
      emails: [
        { value: 'jane@home.example.com', type: 'home' },
        { value: 'jane.doe@example.com', type: 'work', primary: true },
      ],
      phoneNumbers: [{ value: 'tel:+1-415-555-0132', type: 'work' }],
      [ENTERPRISE]: { department: 'R&D', manager: { value: '26118915', displayName: 'John' } },
      password: 'never stored 1234',
      unknown: 'ignored',
    };
    let created: TestBody;
    const types = await typesDuring(app, async () => {
      const response = await scim.post('/Users', body).expect(201);
      created = response.body;
      expect(response.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
      expect(response.headers.get('location')).toBe(created.meta.location);
      expect(response.headers.get('etag')).toBe(created.meta.version);
    });
    expect(types).toEqual(['user.created']);
    const { password: _, unknown: __, ...known } = body;
    expect(created).toEqual({
      ...known,
      id: expect.stringMatching(/^usr_/),
      active: true,
      meta: expect.objectContaining({ resourceType: 'User', location: `${scim.base}/Users/${created.id}` }),
    });
    expect(await scim.read(`/Users/${created.id}`)).toEqual(created);
    expect(await inApi(created.id)).toMatchObject({
      email: 'jane.doe@example.com',
      firstName: 'Jane',
      lastName: 'Doe',
      displayName: 'Jane D.',
      phoneNumber: '+1-415-555-0132',
      locale: 'de-DE',
      status: 'active',
      managedBy: scim.connectionId,
    });
    expect(JSON.stringify(await app.database.query('SELECT * FROM scim_users'))).not.toContain('never stored');
  });

  it('suspends with `active` false, also as text, and activates when `active` is removed', async () => {
    const { id } = await create();
    const change = (operation: object) => () => scim.patch(`/Users/${id}`, patch(operation)).expect(200);
    const suspended = await typesDuring(app, change({ op: 'Replace', path: 'active', value: 'False' }));
    expect(suspended).toEqual(['user.suspended']);
    const suspendedReason = 'Deactivated by the SCIM connection "Directory".';
    expect(await inApi(id)).toMatchObject({ status: 'suspended', suspendedReason });
    const activated = await typesDuring(app, change({ op: 'replace', value: { active: true } }));
    expect(activated).toEqual(['user.activated']);
    expect((await scim.read(`/Users/${id}`)).active).toBe(true);
    const { id: inactive } = await create({ active: false });
    const types = await typesDuring(app, async () => {
      const { body } = await scim.patch(`/Users/${inactive}`, patch({ op: 'remove', path: 'active' })).expect(200);
      expect(body).not.toHaveProperty('active');
    });
    expect(types).toEqual(['user.activated']);
    expect(await inApi(inactive)).toMatchObject({ status: 'active' });
    expect((await scim.read('/Users', { filter: `id eq "${inactive}"` })).Resources[0]).not.toHaveProperty('active');
    for (const active of [true, false])
      expect((await scim.patch(`/Users/${inactive}`, setActive(active)).expect(200)).body).toMatchObject({ active });
  });

  it('replaces all attributes with PUT, and returns the attributes that the request names', async () => {
    const user = await create({ title: 'Engineer', name: { givenName: 'Jane' }, externalId: 'x' });
    const next = { userName: user.userName, emails: user.emails, name: { familyName: 'Roe' } };
    const { body } = await scim.put(`/Users/${user.id}`, next).expect(200);
    expect(body).toMatchObject({ name: { familyName: 'Roe' }, active: true });
    expect(body).not.toHaveProperty('title');
    expect(body).not.toHaveProperty('externalId');
    expect(await inApi(user.id)).toMatchObject({ lastName: 'Roe' });
    expect(await inApi(user.id)).not.toHaveProperty('firstName');
    const { id } = await create({ title: 'x', name: { givenName: 'A', familyName: 'B' } });
    const some = await scim.read(`/Users/${id}`, { attributes: 'title,name.givenName' });
    expect(some).toEqual({ schemas: expect.any(Array), id, title: 'x', name: { givenName: 'A' } });
    const others = await scim.read(`/Users/${id}`, { excludedAttributes: 'title,emails,id' });
    expect(Object.keys(others)).toEqual(['schemas', 'id', 'userName', 'name', 'active', 'meta']);
  });

  it('rejects a second user with the same userName or address', async () => {
    const user = await create();
    const other = { userName: user.userName.toUpperCase(), emails: [{ value: 'other@example.com' }] };
    await scim.post('/Users', other).expect(409, 'uniqueness');
    const { body, headers } = await scim.post('/Users', { userName: 'other', emails: user.emails }).expect(409);
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
    const detail = expect.stringContaining('adoptExistingUsers');
    expect(body).toEqual({ schemas, status: '409', scimType: 'uniqueness', detail });
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    // user-name.spec.ts compares more spellings.
    const withAddress = (userName: string) => ({ userName, emails: [{ value: `precis${++count}@example.com` }] });
    const { id } = await scim.create('/Users', withAddress('hans@bücher.example'));
    const spelling = 'HANS@xn--bcher-kva.example';
    expect(await scim.find('/Users', `userName eq "${spelling}"`)).toEqual([id]);
    await scim.post('/Users', withAddress(spelling)).expect(409, 'uniqueness');
  });

  it('deletes a user, who can be restored, and frees the userName', async () => {
    const user = await create();
    expect(await typesDuring(app, () => scim.delete(`/Users/${user.id}`).expect(204))).toEqual(['user.deleted']);
    await scim.get(`/Users/${user.id}`).expect(404);
    await scim.delete(`/Users/${user.id}`).expect(404);
    const again = await scim.create('/Users', { userName: user.userName });
    expect(again.id).not.toBe(user.id);
  });

  it('checks If-Match and If-None-Match', async () => {
    const user = await create();
    const change = patch({ op: 'add', path: 'title', value: 'x' });
    const { body } = await scim.patch(`/Users/${user.id}`, change, { headers: { 'If-Match': user.meta.version } }).expect(200);
    expect(body.meta.version).not.toBe(user.meta.version);
    await scim.patch(`/Users/${user.id}`, change, { headers: { 'If-Match': user.meta.version } }).expect(412);
    await scim.delete(`/Users/${user.id}`, { headers: { 'If-Match': user.meta.version } }).expect(412);
    // fetch would add `Cache-Control: no-cache`.
    const { statusCode } = await request(`${app.url}/scim/v2/${scim.connectionId}/Users/${user.id}`, {
      headers: { authorization: `Bearer ${scim.token}`, 'if-none-match': body.meta.version },
    });
    expect(statusCode).toBe(304);
  });

  it('filters', async () => {
    const own = await startScim(app, 'Filters');
    const add = async (fields: object): Promise<string> => (await own.scim.create('/Users', fields)).id;
    const ada = await add({
      userName: 'Ada@filters.example',
      externalId: 'A1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      title: 'Analyst',
      emails: [
        { value: 'Ada@filters.example', type: 'work' },
        { value: 'ada@home.example', type: 'home' },
      ],
      addresses: [{ country: 'GB' }],
      [ENTERPRISE]: { department: 'Math', manager: { value: '42', displayName: 'Charles' } },
    });
    const group = (await own.scim.create('/Groups', { displayName: 'Engines', members: [{ value: ada }] })).id;
    const { version, location } = (await own.scim.read(`/Users/${ada}`)).meta;
    const bob = await add({ userName: 'bob@filters.example', externalId: 'B2', active: false, displayName: 'Zoë "B" O\'Neil' });
    const hans = await add({
      userName: 'hans@bücher.example',
      displayName: 'Νίκος',
      active: false,
      emails: [{ value: 'hans@bücher.example', type: 'idn' }],
    });
    const found = (filter: string) => own.scim.find('/Users', filter);
    for (const filter of [
      'userName sw "Hans@BÜ" and userName co "bücher" and userName ew "cher.example" and userName co "xn--"',
      'emails[type eq "idn" and value eq "HANS@xn--bcher-kva.example"]',
      'displayName eq "ΝΊΚΟΣ"',
    ])
      expect([filter, await found(filter)]).toEqual([filter, [hans]]);
    expect(await found('emails[type eq "idn" and value ne "hans@xn--bcher-kva.example"]')).toEqual([]);
    await own.scim.delete(`/Users/${hans}`).expect(204);
    const cases: [string, string[]][] = [
      ['userName eq "ADA@filters.example"', [ada]],
      ['userName ne "ada@filters.example"', [bob]],
      ['userName sw "bob" or externalId eq "A1"', [ada, bob]],
      ['externalId eq "a1"', []],
      ['id eq "' + bob + '"', [bob]],
      ['active eq false', [bob]],
      ['not (active eq false)', [ada]],
      ['name.givenName co "d" and title pr', [ada]],
      ['title eq null', [bob]],
      ['displayName sw "Zoe\\u0308"', [bob]],
      ['displayName eq "zo\\u00cb \\"B\\" O\'Neil"', [bob]],
      ['active eq "True"', [ada]],
      ['emails.value co "home" and emails.type eq "work" and not (emails.value co "other")', [ada]],
      ['emails.value co "nowhere" or emails[type eq "home"].value ew "home.example"', [ada]],
      ['emails[type eq "work"].value ew "home.example" or emails.type eq "other"', []],
      ['emails pr and addresses pr and groups pr and name pr and manager pr and meta.version pr and meta pr', [ada]],
      ['not (name pr) and not (addresses pr) and groups eq null and manager eq null', [bob]],
      ['manager eq "42" and manager[displayName eq "charles" and value pr]', [ada]],
      [`${ENTERPRISE}:manager eq "43"`, []],
      [`schemas eq "${ENTERPRISE}"`, [ada]],
      ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User" and department eq "math"', [ada]],
      [`groups eq "${group}" and groups.$ref ew "/Groups/${group}" and groups.display eq "engines"`, [ada]],
      [`meta.version eq ${JSON.stringify(version)} and meta.location eq "${location}" and externalId pr`, [ada]],
      ['name[givenName eq "ada" and not (familyName eq "King")]', [ada]],
      ['emails[type eq "home" and value eq "ada@home.example"]', [ada]],
      ['emails[type eq "work" and value eq "ada@home.example"]', []],
      ['emails[not (value eq "ada@home.example")]', [ada]],
      ['not (emails.value eq "ada@home.example")', [bob]],
      ['emails eq "bob@filters.example"', [bob]],
      [`${ENTERPRISE}:department eq "math"`, [ada]],
      ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob@filters.example"', [bob]],
      ['meta.created gt "2020-01-01T00:00:00Z" and meta.lastModified lt "2199-01-01T00:00:00Z"', [ada, bob]],
      ['meta.resourceType eq "User"', [ada, bob]],
    ];
    for (const [filter, ids] of cases) expect([filter, await found(filter)]).toEqual([filter, ids]);
    for (const filter of [
      'userName eq',
      'shoeSize eq "1"',
      'addresses eq "x"',
      'userName[value eq "x"]',
      'meta.created gt "2026-02-30T00:00:00Z"',
      'name eq "x"',
    ])
      expect([filter, (await own.scim.get('/Users', { filter }).expect(400)).body.scimType]).toEqual([filter, 'invalidFilter']);
  });

  it('filters by every attribute of the schemas, with every operator of its type', async () => {
    const own = await startScim(app, 'Operators');
    const texts = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'].map((op) => `${op} "x"`);
    const conditions = ['pr', 'eq null', 'ne null'];
    const byType: Record<string, string[]> = { boolean: ['eq true', 'ne "False"'], string: texts, reference: texts };
    const of = (path: string, { type }: TestBody): string =>
      [...conditions, ...(byType[type] ?? [])].map((condition) => `${path} ${condition}`).join(' or ');
    const { Resources: schemas } = await own.scim.read('/Schemas');
    for (const { id, attributes } of schemas as TestBody[])
      for (const attribute of attributes as TestBody[])
        for (const part of [attribute, ...(attribute.subAttributes ?? [])]) {
          const path = `${id}:${attribute.name}${part === attribute ? '' : `.${part.name}`}`;
          await own.scim.get(id.endsWith('Group') ? '/Groups' : '/Users', { filter: of(path, part) }).expect(200);
        }
    for (const path of ['id', 'externalId', 'schemas', 'meta.resourceType', 'meta.location', 'meta.version'])
      for (const endpoint of ['/Users', '/Groups'])
        await own.scim.get(endpoint, { filter: of(path, { type: 'string' }) }).expect(200);
  });

  it('finds each user and group by the text that was stored', async () => {
    const own = await startScim(app, 'Texts');
    const text = fc
      .oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
      .map((value) => value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''))
      .filter((value) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(value));
    // A user name has no symbols, compatibility forms, fillers and parts of Hangul syllables (RFC 8265).
    const excluded =
      /[^\p{L}0-9]|[\p{Default_Ignorable_Code_Point}\u0640\u07fa\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/gu;
    const name = text.map((value) => value.normalize('NFKC').replace(excluded, '')).filter((value) => value !== '');
    const escaped = (value: string): string =>
      `"${value.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
    let number = 0;
    const deletions: string[] = [];
    const idsOf = async (endpoint: string, filter: string): Promise<string[]> =>
      (await own.scim.post(`${endpoint}/.search`, { filter }).expect(200)).body.Resources.map(({ id }: TestBody) => id);
    await fc.assert(
      fc
        .asyncProperty(name, text, text, async (userName, displayName, externalId) => {
          const emails = [{ value: `text${++number}@example.com`, display: displayName }];
          const user = await own.scim.create('/Users', { userName, displayName, externalId, title: displayName, emails });
          const group = await own.scim.create('/Groups', { displayName, externalId });
          deletions.push(`/Users/${user.id}`, `/Groups/${group.id}`);
          for (const encode of [JSON.stringify, escaped]) {
            const quoted = encode(displayName);
            expect(await idsOf('/Users', `userName eq ${encode(userName)}`)).toContain(user.id);
            expect(await idsOf('/Users', `displayName eq ${quoted} and title eq ${quoted}`)).toContain(user.id);
            expect(await idsOf('/Users', `emails[display eq ${quoted}]`)).toContain(user.id);
            const both = `displayName eq ${quoted} and externalId eq ${encode(externalId)}`;
            expect(await idsOf('/Users', both)).toContain(user.id);
            expect(await idsOf('/Groups', both)).toContain(group.id);
          }
        })
        .afterEach(async () => {
          for (const path of deletions.splice(0)) await own.scim.delete(path).expect(204);
        }),
      { numRuns: sized(5, 50, 1_000), seed: SEED },
    );
  });

  it('pages by position and by cursor', async () => {
    const own = await startScim(app, 'Pages');
    for (let index = 0; index < 5; index++) await own.scim.post('/Users', { userName: `p${index}@pages.example` }).expect(201);
    const Resources = [{ userName: 'p2@pages.example' }, { userName: 'p3@pages.example' }];
    const second = { totalResults: 5, startIndex: 3, itemsPerPage: 2, Resources };
    expect(await own.scim.read('/Users', { startIndex: 3, count: 2 })).toMatchObject(second);
    const names: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { body }: TestResponse = await own.scim.get('/Users', { cursor, count: 2 }).expect(200);
      names.push(...body.Resources.map(({ userName }: { userName: string }) => userName));
      expect(body.totalResults).toBe(5);
      cursor = body.nextCursor;
    }
    expect(names).toEqual([0, 1, 2, 3, 4].map((index) => `p${index}@pages.example`));
    expect(await own.scim.read('/Users', { count: 0 })).toMatchObject({ totalResults: 5, Resources: [] });
    await own.scim.get('/Users', { cursor: 'forged' }).expect(400, 'invalidCursor');
    await own.scim.get('/Users', { count: 'x' }).expect(400, 'invalidCount');
    const { body: searched } = await own.scim
      .post('/Users/.search', { filter: 'userName sw "p1"', attributes: ['userName'] })
      .expect(200);
    expect(searched.Resources).toEqual([{ schemas: expect.any(Array), id: expect.any(String), userName: 'p1@pages.example' }]);
  });
});
