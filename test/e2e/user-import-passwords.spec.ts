import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { countDifferences } from '../support/counts.js';
import { made, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const ACME = '/v1/organizations/acme/users';
const ctx = systemContext('import of passwords');

/** A test vector of crypt_blowfish (wrapper.c). */
const BCRYPT = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const BCRYPT_PASSWORD = 'U*U';
/** A hash that Python’s hashlib computed. */
const PBKDF2 = 'pbkdf2_sha256$260000$seasalt2Xy9$8d65RbvRwkVu1/oa02gGuhz8lhXweNWy0Newi/Shwo4=';
const PBKDF2_PASSWORD = 'correct horse battery staple – ü';

interface Line {
  line: number;
  status: string;
  id?: string;
  error?: { code: string; message: string; pointer?: string };
}

describe('an imported password hash', () => {
  const app = testApp({}, { passwordCost: 'production' });
  let passwords: PasswordsService;
  let tenantId: string;
  beforeAll(async () => {
    passwords = app.app.get(PasswordsService, { strict: false });
    tenantId = (await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' })).id;
  });

  const send = async (body: string, type = 'application/x-ndjson') => {
    const { body: text } = await app.api.platform.raw('POST', `${ACME}/import`, body, { 'content-type': type }).expect(200);
    const lines: Line[] = text.trim().split('\n').slice(0, -1).map(JSON.parse);
    return { text, lines };
  };
  const imported = (...users: object[]) => send(users.map((user) => JSON.stringify(user)).join('\n'));
  const shown = (id?: string) => read(app, `${ACME}/${id}`);
  const hashOf = async (id?: string) =>
    (
      await app.database.query<{ hash: string }>(
        'SELECT password_hash AS hash FROM user_credentials WHERE tenant_id = $1 AND user_id = $2',
        [tenantId, id],
      )
    )[0]?.hash;
  const verified = (id: string | undefined, password: string) => passwords.verify(ctx, { tenantId, id: id! }, password);

  it('is replaced by a new hash at the first use', async () => {
    const mails = 'SELECT count(*)::int AS count FROM messages';
    const [before] = await app.database.query(mails);
    const { lines } = await imported(
      { email: 'b@example.com', passwordHash: BCRYPT, sendInvitation: true },
      { email: 'none@example.com' },
      { email: 'p@example.com', passwordHash: PBKDF2, emailVerified: true, status: 'active' },
    );
    expect(lines.map(({ status }) => status)).toEqual(['created', 'created', 'created']);
    const users = await Promise.all(lines.map(({ id }) => shown(id)));
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
  });

  it('is accepted in a CSV file', async () => {
    const { lines } = await send(`email,passwordHash\r\nt1@example.com,"${BCRYPT}"\r\nt2@example.com,\r\n`, 'text/csv');
    expect(await verified(lines[0]!.id, BCRYPT_PASSWORD)).toBe(true);
    expect((await shown(lines[1]!.id)).status).toBe('pending');
  });

  it('is ignored if the user exists', async () => {
    const existing = await imported({ email: 'r1@example.com', passwordHash: BCRYPT }, { email: 'r2@example.com' });
    const [first, second] = existing.lines;
    const again = await imported(
      { email: 'r1@example.com', passwordHash: PBKDF2 },
      { email: 'r2@example.com', passwordHash: PBKDF2 },
      { email: 'r2@example.com', passwordHash: PBKDF2, firstName: 'R' },
    );
    expect(again.lines.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'updated']);
    expect([await hashOf(first!.id), await hashOf(second!.id)]).toEqual([BCRYPT, undefined]);
    expect((await shown(second!.id)).status).toBe('pending');
  });

  it('is rejected if the algorithm is unknown or too expensive', async () => {
    const { text, lines } = await imported(
      { email: 'x1@example.com', passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      { email: 'x2@example.com', passwordHash: BCRYPT.replace('$05$', '$31$') },
      { email: 'x3@example.com', passwordHash: BCRYPT.repeat(10) },
      { email: 'x4@example.com', passwordHash: 17 },
      { email: 'x5@example.com', passwordHash: '' },
      { email: 'x6@example.com', passwordHash: BCRYPT, status: 'pending' },
      { email: 'x7@example.com', passwordHash: null },
    );
    expect(lines.map(({ error, status }) => [error?.code ?? status, error?.pointer])).toEqual([
      ['unknown_hash', '/passwordHash'],
      ['hash_too_costly', '/passwordHash'],
      ['too_long', '/passwordHash'],
      ['wrong_type', '/passwordHash'],
      ['too_short', '/passwordHash'],
      ['invalid_combination', '/status'],
      ['created', undefined],
    ]);
    expect(text).not.toMatch(/5f4dcc3b|CCCCC/);
    expect((await app.api.platform.get(`${ACME}?search=x`)).body.pagination.total).toBe(1);
  });

  it('is never in responses, exports or events', async () => {
    const { text, lines } = await imported(
      { email: 'secret1@example.com', passwordHash: BCRYPT },
      { email: 'secret2@example.com', passwordHash: PBKDF2 },
      { email: 'secret3@example.com', passwordHash: BCRYPT.replace('$05$', '$31$') },
    );
    expect(lines.map(({ status }) => status)).toEqual(['created', 'created', 'failed']);
    expect(text).not.toMatch(/\$2a\$|pbkdf2_|argon2/);
    expect(await verified(lines[0]!.id, BCRYPT_PASSWORD)).toBe(true);
    expect(await hashOf(lines[0]!.id)).toMatch(/^\$argon2id\$/);
    const exported = await app.api.platform.raw('GET', `${ACME}/export?format=csv`, undefined, {}).expect(200);
    expect(exported.body).not.toMatch(/password|\$2a\$|argon2/i);
    const events = await app.database.query<{ payload: string }>('SELECT payload FROM events');
    expect(events.map(({ payload }) => payload).join('')).not.toMatch(/passwordHash|\$2a\$|pbkdf2|argon2/);
  });
});
