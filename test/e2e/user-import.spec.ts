import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { UserImportService } from '../../libs/directory/users/src/transfer/user-import.service.js';
import { countDifferences } from '../support/counts.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newOrganization, newUser, read } from '../support/organizations.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { freshCode, verify } from '../support/second-factors.js';
import { testApp } from '../support/test-app.js';
import { systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { login, PASSWORD } from '../support/sign-in.js';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';
const ACME = '/v1/organizations/acme/users';
const MAX_LINES = 10_000;

interface Line {
  line: number;
  status: string;
  id?: string;
  error?: { code: string; message: string; pointer?: string };
  summary?: Record<string, number>;
  complete?: boolean;
}

// The costs of real password hashes, because the service replaces imported hashes by its own.
const app = testApp({}, { passwordCost: 'production' });
let tenantId: string;
beforeAll(async () => {
  tenantId = (await newOrganization(app, { slug: 'acme' })).id;
  await newOrganization(app, { slug: 'below', parentId: 'acme' });
});

const send = (body: string | Buffer, type = NDJSON, client: TestClient = app.api.platform, path = ACME) =>
  client.raw('POST', `${path}/import`, body, { 'content-type': type });
/** Returns the lines of the response: the results, then the summary. */
const linesOf = (body: string): Line[] => JSON.parse(`[${body.trim().replaceAll('\n', ',')}]`);
const importText = async (text: string, type = NDJSON, path = ACME): Promise<Line[]> =>
  linesOf((await send(text, type, app.api.platform, path).expect(200)).body);
const imported = (users: readonly object[]) => importText(users.map((user) => JSON.stringify(user)).join('\n'));
const shown = (id: string | undefined) => read(app, `${ACME}/${id}`);

describe('the user import', () => {
  const outcomes = (lines: readonly Line[]) => lines.slice(0, -1).map(({ status, error }) => error?.code ?? status);

  it('publishes an event for each created or changed user', async () => {
    const users = [
      { email: 'Ada@example.com', firstName: 'Ada', externalId: 'i-1', roles: ['viewer', 'role_member'], metadata: { a: 1 } },
      {
        email: 'bob@example.com',
        status: 'active',
        emailVerified: true,
        displayName: 'Böb',
        picture: 'https://example.com/b.png',
        locale: 'de-AT',
      },
    ];
    const lines = await imported(users);
    expect(lines).toEqual([
      { line: 1, status: 'created', id: expect.stringMatching(/^usr_/) },
      { line: 2, status: 'created', id: expect.stringMatching(/^usr_/) },
      { summary: { lines: 2, created: 2, updated: 0, unchanged: 0, failed: 0 }, complete: true },
    ]);
    expect(await shown(lines[0]!.id)).toMatchObject({
      ...users[0],
      status: 'pending',
      roles: [{ name: 'viewer' }, { name: 'member' }],
    });
    expect(await shown(lines[1]!.id)).toMatchObject({ ...users[1], roles: [{ name: 'member' }] });
    expect(outcomes(await imported(users))).toEqual(['unchanged', 'unchanged']);
    const changed = [
      { externalId: 'i-1', email: 'ada@new.example.com', metadata: { b: 2 } },
      { email: 'BOB@example.com', externalId: 'i-2', locale: 'fr' },
    ];
    const second = await imported(changed);
    expect(second.map(({ status, id }) => [status, id])).toEqual([
      ['updated', lines[0]!.id],
      ['updated', lines[1]!.id],
      [undefined, undefined],
    ]);
    expect(await shown(lines[0]!.id)).toMatchObject({ email: 'ada@new.example.com', firstName: 'Ada', metadata: { a: 1, b: 2 } });
    expect((await app.api.platform.get(`${ACME}?email=ada@new.example.com`)).body.pagination.total).toBe(1);
    expect((await app.api.platform.get(`${ACME}?search=ada@new`)).body.pagination.total).toBe(1);
    const ofUsers = 'SELECT payload FROM events WHERE user_id = ANY($1) ORDER BY seq';
    const rows = await app.database.query<{ payload: string }>(ofUsers, [[lines[0]!.id, lines[1]!.id]]);
    const payloads = rows.map(({ payload }) => JSON.parse(payload));
    expect(payloads.map(({ type, data }) => [type, data.id])).toEqual([
      ['user.created', lines[0]!.id],
      ['user.created', lines[1]!.id],
      ['user.updated', lines[0]!.id],
      ['user.updated', lines[1]!.id],
    ]);
    expect(Object.keys(payloads[0].data).sort()).toEqual(['createdAt', 'email', 'firstName', 'id', 'lastName', 'status']);
    expect(payloads[3].data.changes).toEqual({
      email: { from: 'bob@example.com', to: 'BOB@example.com' },
      externalId: { from: null, to: 'i-2' },
      locale: { from: 'de-AT', to: 'fr' },
    });
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('reports the reason and the field of each failed line', async () => {
    await newUser(app, 'below', { email: 'below@example.com', externalId: 'below' });
    const key = await keyClient(app, 'acme', ['users:write', 'users:read']);
    const body = [
      '{"email":"f1@example.com","externalId":"f-1"}',
      '{"email":"no address"}',
      '{"email":"f2@example.com","roles":["nobody"]}',
      '{"email":"f3@example.com","roles":["owner"]}',
      '{broken',
      '[]',
      '',
      '{"email":"f4@example.com","color":"red"}',
      '{"email":"below@example.com"}',
      '{"email":"f5@example.com","externalId":"below"}',
      '{"email":"f1@example.com","externalId":"f-2"}',
      `{"email":"f7@example.com","displayName":"${'x'.repeat(70_000)}"}`,
      '{"firstName":"Nobody"}',
      '{"email":"f1@example.com","firstName":"First"}',
      '{"email":"f10@example.com","metadata":{"id":1546130668394913822}}',
      '{"email":"f10@example.com","email":"f11@example.com"}',
    ].join('\n');
    const lines = linesOf((await send(body, NDJSON, key).expect(200)).body);
    expect(lines.slice(0, -1).map(({ line, status, error }) => [line, error?.code ?? status, error?.pointer])).toEqual([
      [1, 'created', undefined],
      [2, 'invalid_email', '/email'],
      [3, 'role_not_found', '/roles/0'],
      [4, 'forbidden', '/roles/0'],
      [5, 'malformed_json', undefined],
      [6, 'wrong_type', ''],
      [8, 'unknown_field', '/color'],
      [9, 'email_taken', '/email'],
      [10, 'external_id_taken', '/externalId'],
      [11, 'email_taken', '/email'],
      [12, 'too_large', undefined],
      [13, 'required', '/email'],
      [14, 'updated', undefined],
      [15, 'inexact_number', '/metadata/id'],
      [16, 'duplicate_field', '/email'],
    ]);
    expect(lines.at(-1)).toEqual({ summary: { lines: 15, created: 1, updated: 1, unchanged: 0, failed: 13 }, complete: true });
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('reads quotes, lists, JSON and accents in CSV', async () => {
    const lines = await importText(
      '\ufeffemail,firstName,"displayName",roles,metadata,emailVerified,phoneNumber,locale\r\n' +
        '"t1@example.com",Zoë,"Zoë ""Z"", Müller",viewer; member,"{""team"":\n""a,b""}",TRUE,\'+49 30 1,PT-br\r\n' +
        '\r\n' +
        't2@example.com,,,,,,,\r\n' +
        't3@example.com,only,three\r\n' +
        't4@example.com,,,,{broken,,,\r\n' +
        't5@example.com,,,,,maybe,,\r\n' +
        't6@example.com,,,,,,,de_DE\r\n' +
        't7@example.com,,,,"{""a"":[1e400]}",,,\r\n',
      CSV,
    );
    expect(lines.at(-2)?.error?.pointer).toBe('/metadata/a/0');
    expect(lines.slice(0, -1).map(({ line, status, error }) => [line, error?.code ?? status])).toEqual([
      [2, 'created'],
      [4, 'created'],
      [5, 'wrong_column_count'],
      [6, 'wrong_type'],
      [7, 'wrong_type'],
      [8, 'invalid_locale'],
      [9, 'inexact_number'],
    ]);
    expect(await shown(lines[0]!.id)).toMatchObject({
      firstName: 'Zoë',
      displayName: 'Zoë "Z", Müller',
      roles: [{ name: 'viewer' }, { name: 'member' }],
      metadata: { team: 'a,b' },
      emailVerified: true,
      phoneNumber: '+49 30 1',
      locale: 'pt-BR',
    });
  });

  it.each([
    ['unknown columns', 'email,color\na@example.com,red\n', 'unknown_field'],
    ['duplicate columns', 'email,email\na@example.com,b@example.com\n', 'duplicate_item'],
    ['no column for emails', 'firstName\nAda\n', 'required'],
    ['an open quote', 'email\n"a@example.com\n', ''],
    ['a quote in the middle of a cell', 'email\na"b"@example.com\n', ''],
    ['JSON', '{"email": "a@example.com"}', ''],
    ['no content', ' ', 'unknown_field'],
  ])('rejects CSV with %s', async (_, text, code) => {
    const { body } = await send(text, CSV).expect(400);
    expect([body.code, body.errors?.[0].code ?? '']).toEqual(['malformed_csv', code]);
  });

  it('rejects unsupported content types and encodings', async () => {
    for (const type of ['application/json', 'text/plain', 'text/csv; charset=latin1'])
      await send('{"email":"w@example.com"}', type).expect(415, 'unsupported_media_type');
    await app.api.platform.raw('POST', `${ACME}/import`, undefined, {}).expect(415, 'unsupported_media_type');
    expect((await app.api.platform.raw('POST', ACME, 'email\nw@example.com', { 'content-type': CSV })).status).toBe(415);
    const gzip = { 'content-type': CSV, 'content-encoding': 'gzip' };
    expect((await app.api.platform.raw('POST', `${ACME}/import`, 'email', gzip)).status).toBe(415);
    await send(Buffer.from('email,firstName\nw@example.com,Zoë\n', 'latin1'), CSV).expect(400, 'malformed_csv');
    expect((await send('x'.repeat(33 * 1024 * 1024)).catch(() => ({ status: 413 }))).status).toBe(413);
  });

  it('stops at the maximum number of lines', async () => {
    const imports = app.app.get(UserImportService, { strict: false });
    expect(imports.maxLines).toBe(MAX_LINES);
    imports.maxLines = 10;
    const path = at((await newOrganization(app)).id, '/users');
    const body = Array.from({ length: 11 }, (_, index) => `{"email":"many${index}@example.com"}`).join('\n');
    const lines = await importText(body, NDJSON, path);
    const again = await importText(body, NDJSON, path);
    imports.maxLines = MAX_LINES;
    expect(lines.at(-1)).toEqual({
      summary: { lines: 10, created: 10, updated: 0, unchanged: 0, failed: 0 },
      complete: false,
      error: { code: 'too_many_lines', message: expect.stringContaining('10') },
    });
    expect(lines.slice(0, -1).map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    expect(again.at(-1)!.summary).toMatchObject({ created: 0, unchanged: 10 });
    expect((await app.api.platform.get(`${path}?limit=1`)).body.pagination.total).toBe(10);
  });

  it('creates no duplicates when repeated concurrently', async () => {
    const users = Array.from({ length: 600 }, (_, index) => ({ email: `race${index}@example.com`, externalId: `race-${index}` }));
    const runs = await Promise.all([imported(users), imported([...users].reverse()), imported(users)]);
    const ends = runs.map((lines) => lines.at(-1)!.summary!);
    expect(ends.map(({ created, unchanged }) => created! + unchanged!)).toEqual([600, 600, 600]);
    expect(ends.reduce((sum, { created }) => sum + created!, 0)).toBe(600);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('processes distant lines about one user in order', async () => {
    const others = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@example.com` }));
    await imported([{ externalId: 'far-1', email: 'far-old@example.com' }]);
    const lines = await imported([
      // Several lines about one user need several transactions, so the next batch could finish before this batch.
      { externalId: 'far-1', email: 'far-old@example.com', firstName: 'First' },
      { externalId: 'far-1', email: 'far-new@example.com' },
      ...others('far-a', 498),
      { email: 'far-old@example.com', firstName: 'Somebody else' },
      { externalId: 'far-2', email: 'far-2@example.com' },
      { externalId: 'far-2', email: 'far-2-moved@example.com' },
      ...others('far-b', 497),
      { email: 'far-2-moved@example.com', firstName: 'Same' },
      ...others('far-c', 600),
    ]);
    const resultOf = (line: number) => lines[line - 1]!;
    expect([1, 2, 501, 502, 503, 1_001].map((line) => resultOf(line).status)).toEqual([
      'updated',
      'updated',
      'created',
      'created',
      'updated',
      'updated',
    ]);
    expect(resultOf(501).id).not.toBe(resultOf(1).id);
    expect(resultOf(1_001).id).toBe(resultOf(502).id);
    expect((await shown(resultOf(1).id)).email).toBe('far-new@example.com');
    expect(lines.slice(0, -1).map(({ line }) => line)).toEqual(Array.from({ length: 1_601 }, (_, index) => index + 1));
    expect(await countDifferences(app.database)).toEqual([]);
  });

  /** Begins an import with 500 users, and waits for their results. Returns functions to send more users and to end the import. */
  async function beginImport(key: string, first: string) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': NDJSON };
    const upload = request(`${app.url}${ACME}/import`, { method: 'POST', headers });
    const send = (name: string): void =>
      void upload.write(Array.from({ length: 500 }, (_, index) => `{"email":"${name}${index}@example.com"}\n`).join(''));
    send(first);
    const [response] = await once(upload, 'response');
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const end = async (): Promise<Line[]> => {
      upload.end();
      await once(response, 'end');
      return linesOf(text);
    };
    while (text.split('\n').length <= 500) await sleep(10);
    return { send, end };
  }

  it('returns results while the client sends lines, and ends when the caller loses access', async () => {
    const keys = `${ACME.replace('/users', '')}/api-keys`;
    const { key, id } = await made(app, keys, { name: 'k', scopes: ['users:write'] });
    const { send, end } = await beginImport(key, 'before');
    await app.api.platform.delete(`${keys}/${id}`).expect(204);
    send('after');
    expect((await end()).at(-1)).toMatchObject({
      summary: { created: 500 },
      complete: false,
      error: { code: 'unauthenticated' },
    });
    expect(await app.database.query(`SELECT FROM users WHERE email LIKE 'after%'`)).toEqual([]);
  });
});

const ctx = systemContext('import of passwords');

/** A test vector of crypt_blowfish (wrapper.c). */
const BCRYPT = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const BCRYPT_PASSWORD = 'U*U';
/** A hash that Python’s hashlib computed. */
const PBKDF2 = 'pbkdf2_sha256$260000$seasalt2Xy9$8d65RbvRwkVu1/oa02gGuhz8lhXweNWy0Newi/Shwo4=';
const PBKDF2_PASSWORD = 'correct horse battery staple – ü';

describe('an imported password hash', () => {
  const hashOf = async (id?: string) =>
    (
      await app.database.query<{ hash: string }>(
        'SELECT password_hash AS hash FROM user_credentials WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, id],
      )
    )[0]?.hash;
  const verified = (id: string | undefined, password: string) =>
    app.app.get(PasswordsService, { strict: false }).verify(ctx, { tenantId, id: id! }, password);

  it('is replaced by a new hash at the first use, and is never in responses, exports or events', async () => {
    const mails = 'SELECT count(*)::int AS count FROM messages';
    const [before] = await app.database.query(mails);
    const lines = await imported([
      { email: 'b@example.com', passwordHash: BCRYPT, sendInvitation: true },
      { email: 'none@example.com' },
      { email: 'p@example.com', passwordHash: PBKDF2, emailVerified: true, status: 'active' },
    ]);
    const users = await Promise.all(lines.slice(0, -1).map(({ id }) => shown(id)));
    expect(users.map(({ status }) => status)).toEqual(['active', 'pending', 'active']);
    expect(users.map((user) => user.lastPasswordChangeAt)).toEqual([users[0].createdAt, undefined, users[0].createdAt]);
    expect(users[2].emailVerified).toBe(true);
    expect(await app.database.query(mails)).toEqual([before]);
    const passwordsOf = [BCRYPT_PASSWORD, '', PBKDF2_PASSWORD];
    for (const index of [0, 2]) {
      const { id } = lines[index]!;
      expect(await hashOf(id)).toBe([BCRYPT, '', PBKDF2][index]);
      expect(await verified(id, 'wrong')).toBe(false);
      expect(await verified(id, passwordsOf[index]!)).toBe(true);
      expect(await hashOf(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await verified(id, passwordsOf[index]!)).toBe(true);
      expect(await verified(id, 'wrong')).toBe(false);
    }
    expect(await verified(lines[1]!.id, '')).toBe(false);
    expect(await countDifferences(app.database)).toEqual([]);
    const exported = await app.api.platform.get(`${ACME}/export?format=csv`).expect(200);
    expect(exported.body).not.toMatch(/password|\$2a\$|argon2/i);
    const events = await app.database.query('SELECT payload FROM events');
    expect(JSON.stringify([lines, users, events])).not.toMatch(/passwordHash|\$2a\$|pbkdf2|argon2/);
  });

  it('is accepted in a CSV file, and ignored if the user exists', async () => {
    const lines = await importText(`email,passwordHash\r\nh1@example.com,"${BCRYPT}"\r\nh2@example.com,\r\n`, CSV);
    expect(await verified(lines[0]!.id, BCRYPT_PASSWORD)).toBe(true);
    expect((await shown(lines[1]!.id)).status).toBe('pending');
    const [first, second] = await imported([{ email: 'r1@example.com', passwordHash: BCRYPT }, { email: 'r2@example.com' }]);
    const again = await imported([
      { email: 'r1@example.com', passwordHash: PBKDF2 },
      { email: 'r2@example.com', passwordHash: PBKDF2 },
      { email: 'r2@example.com', passwordHash: PBKDF2, firstName: 'R' },
    ]);
    expect(again.slice(0, -1).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'updated']);
    expect([await hashOf(first!.id), await hashOf(second!.id)]).toEqual([BCRYPT, undefined]);
    expect((await shown(second!.id)).status).toBe('pending');
  });

  it('is rejected if the algorithm is unknown or too expensive', async () => {
    const lines = await imported([
      { email: 'x1@example.com', passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      { email: 'x2@example.com', passwordHash: BCRYPT.replace('$05$', '$31$') },
      { email: 'x6@example.com', passwordHash: BCRYPT, status: 'pending' },
      { email: 'x7@example.com', passwordHash: null },
    ]);
    expect(lines.slice(0, -1).map(({ error, status }) => [error?.code ?? status, error?.pointer])).toEqual([
      ['unknown_hash', '/passwordHash'],
      ['hash_too_costly', '/passwordHash'],
      ['invalid_combination', '/status'],
      ['created', undefined],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/5f4dcc3b|CCCCC/);
    expect((await app.api.platform.get(`${ACME}?search=x`)).body.pagination.total).toBe(1);
  });
});

const EXAMPLES = join(import.meta.dirname, '../../examples/migration');
/** The secret of all authenticator apps in the sample files. */
const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** The account of Ada at Google in the sample files. */
const GOOGLE_ID = '103547991597142817347';
/** The source, its files, the number of converted users and organizations, what it leaves out, the name of Google there, and the MFA methods of Ada. */
const EXPORTS = [
  ['auth0', ['auth0-users.ndjson', 'auth0-passwords.ndjson'], 3, /^$/, 'google-oauth2', []],
  ['better-auth', ['better-auth-tables.json'], 3, /^$/, 'google', []],
  ['clerk', ['clerk-users.csv'], 2, /^$/, undefined, ['totp']],
  ['cognito', ['cognito-users.json'], 2, /^Left out: \S+, linked to another user\n$/, 'Google', []],
  [
    'firebase',
    ['firebase-users.json', 'firebase-parameters.txt'],
    2,
    /^Left out: fbPhone, no email address\n$/,
    'google.com',
    [],
  ],
  ['keycloak', ['keycloak-realm.json'], 3, /^$/, 'google', ['totp']],
  ['okta', ['okta-users.json', '--active'], 2, /^$/, undefined, []],
  ['supabase', ['supabase-users.ndjson'], 2, /^Left out: \S+, anonymous\n$/, 'google', ['totp']],
  ['workos', ['workos-users.json'], 2, /^$/, undefined, []],
  ['zitadel', ['zitadel-export.json'], 2, /^$/, '70669144072186710', ['totp']],
] as const;
const WITHOUT_PASSWORDS: ReadonlySet<string> = new Set(['cognito', 'okta', 'workos']);

describe('the export conversion example', () => {
  const convert = (...parameters: string[]) =>
    spawnSync(process.execPath, ['convert.mjs', ...parameters], { cwd: EXAMPLES, encoding: 'utf8' });

  it.each(EXPORTS)(
    'converts an export of %s, with which its users sign in',
    async (source, files, count, leftOut, google, factors) => {
      const provider = google === undefined ? [] : ['--provider', `${google}=Company login`];
      const { status, stdout, stderr } = convert(source, ...files, ...provider);
      expect(status).toBe(0);
      expect(stderr).toMatch(leftOut);
      const organization = await newOrganization(app);
      await insertTrustedProvider(app, organization.id);
      const path = at(organization.id, '/users');
      const summary = async () => (await importText(stdout, NDJSON, path)).at(-1);
      expect(await summary()).toMatchObject({ complete: true, summary: { lines: count, created: count, failed: 0 } });
      expect(await summary()).toMatchObject({ complete: true, summary: { unchanged: count } });

      const users: TestBody[] = await read(app, path);
      const { id } = users.find(({ email }) => email === `ada.${source}@example.com`)!;
      const ada = await read(app, `${path}/${id}`);
      // Okta does not say whether an address is verified.
      expect(ada).toMatchObject({ emailVerified: source !== 'okta', externalId: expect.any(String), mfaMethods: factors });
      expect(`${ada.firstName} ${ada.lastName} ${ada.displayName}`).toContain('Ada Lovelace');
      const { identities } = await read(app, `${path}/${id}/identities`);
      expect(identities.map(({ externalId }: TestBody) => externalId)).toEqual(google === undefined ? [] : [GOOGLE_ID]);
      expect(users.filter(({ status }) => status === 'suspended').map(({ email }) => email.split('.')[0])).toEqual(
        ['clerk', 'workos', 'zitadel'].includes(source) ? [] : ['mallory'],
      );
      if (WITHOUT_PASSWORDS.has(source)) return;
      for (const { email } of users.filter(({ status }) => status === 'active')) {
        await login(app, organization.slug, email, `${PASSWORD}!`).expect(401);
        const { data } = (await login(app, organization.slug, email).expect(200)).body;
        const code = data.mfaRequired && freshCode(app, TOTP_SECRET);
        const signedIn = code ? (await verify(app, data.challengeToken, 'totp', code).expect(200)).body.data : data;
        expect(signedIn.sessionToken).toEqual(expect.any(String));
      }
    },
  );

  it('says which accounts it does not link, and prints the usage', () => {
    expect(convert('keycloak', 'keycloak-realm.json').stderr).toBe(
      'Not linked: 1 accounts at google. Name the identity provider here with --provider google=<name>.\n',
    );
    const { status, stderr } = convert('entra', 'users.json');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Usage: convert\.mjs <auth0\|better-auth\|clerk\|/)]);
  });

  it.each(['okta-users.json', 'workos-users.json'])('converts all pages of a list (%s)', (page) => {
    const [source] = page.split('-') as [string];
    const one = convert(source, page).stdout;
    expect(convert(source, page, page).stdout).toBe(one + one);
  });

  it('activates users of Auth0 whose passwords the previous system confirms', () => {
    const { stdout } = convert('auth0', 'auth0-users.ndjson', '--active');
    const statuses = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status);
    expect(statuses).toEqual(['active', 'active', 'suspended']);
  });

  it('says how many passwords of Firebase it leaves out without the parameters', () => {
    expect(convert('firebase', 'firebase-users.json').stderr).toContain('Left out: 1 passwords, because the file');
  });

  it.each([
    [['auth0', 'missing.ndjson'], "Can't convert missing.ndjson as an export of auth0: ENOENT"],
    [['okta', 'cognito-users.json'], "Can't convert cognito-users.json as an export of okta: cognito-users.json, line 1: "],
    [['cognito', 'okta-users.json'], "Can't convert okta-users.json as an export of cognito: "],
    [['clerk', 'clerk-users.csv', 'clerk-users.csv'], 'clerk has at most 1 file, not 2.'],
    [['auth0', 'auth0-users.ndjson', '--provider', 'google'], '--provider google has no name of an identity provider'],
    [['auth0', 'auth0-users.ndjson', '--providers', 'google=Google'], "Unknown option '--providers'"],
  ])('names the mistake in %j, without a stack trace', (parameters, message) => {
    const { status, stdout, stderr } = convert(...parameters);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});
