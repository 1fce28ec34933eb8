import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { PasswordHasher } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import { unneeded } from '#directory/privileges';
import { testApp } from '../support/test-app.js';

const OWN = unneeded<'sign_in'>('own_account');
const ctx = systemContext('passwords');
const numbered = (number: number): string => `lantern orbit velvet quarry ${number}`;
/** The argon2id hash of `password` with only 256 KiB of memory. */
const WEAK = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

describe('a password', () => {
  const app = testApp();
  let passwords: PasswordsService;
  let organization: string;
  let user: { tenantId: string; id: string };
  let counter = 0;
  beforeAll(async () => {
    passwords = app.app.get(PasswordsService, { strict: false });
  });
  beforeEach(async () => {
    const made = await app.api.platform.post('/v1/organizations', { name: `Passwords ${++counter}` }).expect(201);
    organization = made.body.data.id;
    const email = `person-${counter}@example.com`;
    const created = await app.api.platform.post(`/v1/organizations/${organization}/users`, { email }).expect(201);
    user = { tenantId: organization, id: created.body.data.id };
  });

  const preventReuse = (count: number) =>
    app.api.platform
      .patch(`/v1/organizations/${organization}`, { settings: { passwordPolicy: { preventReuse: count } } })
      .expect(200);
  const set = (number: number) => passwords.set(ctx, user, numbered(number), 'change', OWN);
  const hashes = async (table: string): Promise<string[]> => {
    const rows = await app.database.query<{ hash: string }>(
      `SELECT password_hash AS hash FROM ${table} WHERE tenant_id = $1 AND user_id = $2`,
      [user.tenantId, user.id],
    );
    return rows.map(({ hash }) => hash);
  };

  it('is kept after a change only while the policy prevents reuse', async () => {
    await set(1);
    await set(2);
    await set(2);
    expect(await hashes('password_history')).toEqual([]);

    await preventReuse(3);
    await set(3);
    await set(4);
    // The last three passwords are 2, 3 and 4.
    for (const number of [2, 3, 4])
      await expect(set(number)).rejects.toMatchObject({ code: 'password_refused', errors: [{ code: 'password_reused' }] });
    expect(await hashes('password_history')).toHaveLength(2);
    await set(5);
    await set(2);
    expect(await hashes('password_history')).toHaveLength(2);

    await preventReuse(1);
    await expect(set(2)).rejects.toMatchObject({ code: 'password_refused' });
    await set(5);
    expect(await hashes('password_history')).toEqual([]);
  });

  it('is rehashed at the next use if the stored hash is weak', async () => {
    await app.database.query(
      'INSERT INTO user_credentials (tenant_id, user_id, password_hash, password_changed_at) VALUES ($1, $2, $3, now())',
      [user.tenantId, user.id, WEAK],
    );
    expect(await passwords.verify(ctx, user, 'wrong')).toBe(false);
    expect(await hashes('user_credentials')).toEqual([WEAK]);
    expect(await passwords.verify(ctx, user, 'password')).toBe(true);
    const [hash] = await hashes('user_credentials');
    expect(app.app.get(PasswordHasher, { strict: false }).needsRehash(hash!)).toBe(false);
    expect(await passwords.verify(ctx, user, 'password')).toBe(true);
  });

  it('is never hashed inside a transaction', async () => {
    const transactions = app.app.get(TransactionRunner, { strict: false });
    await expect(transactions.run(ctx, (ctx) => passwords.set(ctx, user, numbered(1), 'change', OWN))).rejects.toThrow(
      'before the transaction',
    );
  });
});
