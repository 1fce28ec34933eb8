import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock, systemContext } from '#platform/common';
import { row, TransactionRunner } from '#platform/database';
import type { EventOrganization } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, SessionService, type UserKey } from '#directory/sessions';
import { at, made, newAddress, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const OWN = unneeded<'sign_in'>('own_account');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ctx = { ...systemContext('test'), ipAddress: '203.0.113.7', userAgent: 'Browser/1.0' };

const app = testApp({ role: 'api', databasePoolSize: 10 });
let sessions: SessionService;
let tokens: OneTimeTokenService;
let transactions: TransactionRunner;
let now: Date;
let organization: EventOrganization;
let user: UserKey;

beforeAll(() => {
  sessions = app.app.get(SessionService);
  tokens = app.app.get(OneTimeTokenService);
  transactions = app.app.get(TransactionRunner);
  app.app.get(Clock).now = () => now;
});
beforeEach(async () => {
  now = new Date();
  const { id, name } = await newOrganization(app);
  organization = { id, tenantId: id, name, ancestorIds: [] };
  user = { tenantId: id, id: (await made(app, at(id, '/users'), { email: newAddress() })).id };
});

const advanceClock = (durationMs: number): void => {
  now = new Date(now.getTime() + durationMs);
};

const NO_DETAILS = { row: row({}), columns: '', joins: '', values: [] };
const authenticate = (token: string) => sessions.authenticate(token, () => 3_600, NO_DETAILS);
const open = () => sessions.create(ctx, { user, organizationId: organization.id, authenticationMethods: ['password', 'totp'] });

describe('SessionService', () => {
  it('authenticates a new session by the token', async () => {
    const { session, token } = await open();

    expect(await authenticate(token)).toEqual(session);
    expect(session).toMatchObject({
      userId: user.id,
      organizationId: organization.id,
      ipAddress: '203.0.113.7',
      userAgent: 'Browser/1.0',
      authenticationMethods: ['password', 'totp'],
      enrolmentOnly: false,
      expiresAt: new Date(now.getTime() + 30 * DAY_MS),
    });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('replaces the token when a method is added, also of a session without a stored token hash', async () => {
    const { session, token } = await open();
    const add = (method: string) =>
      transactions.run(ctx, (ctx) => sessions.addAuthenticationMethod(ctx, user, session.id, method));
    expect(await authenticate(token)).not.toBeNull();

    const second = (await add('totp'))!;
    expect(await authenticate(token)).toBeNull();
    expect(await authenticate(second)).toMatchObject({ id: session.id });

    await app.database.query('UPDATE sessions SET token_hash = NULL WHERE id = $1', [session.id]);
    expect(await authenticate(second)).toMatchObject({ id: session.id });
    const third = (await add('passkey'))!;
    expect(await authenticate(second)).toBeNull();
    expect(await authenticate(third)).toMatchObject({ id: session.id });
    expect(await app.database.query('SELECT 1 FROM token_hashes WHERE subject_id = $1', [session.id])).toHaveLength(1);
  });

  it('rejects a one-time token as a session token', async () => {
    const { token } = await transactions.run(ctx, (ctx) => tokens.issue(ctx, invitation(), OWN));

    expect(await authenticate(token)).toBeNull();
  });

  it('records the last use, which prolongs the session, at most once per minute', async () => {
    const { token, session } = await open();
    const lastSeenAt = async () =>
      (await app.database.query<{ at: Date }>('SELECT last_seen_at AS at FROM sessions WHERE id = $1', [session.id]))[0]?.at;

    advanceClock(59_000);
    await authenticate(token);
    expect(await lastSeenAt()).toEqual(session.createdAt);

    advanceClock(1_000);
    await Promise.all([1, 2, 3].map(() => authenticate(token)));
    expect(await lastSeenAt()).toEqual(now);

    advanceClock(59 * MINUTE_MS + 59_000);
    expect(await authenticate(token)).not.toBeNull();
    advanceClock(60 * MINUTE_MS);
    expect(await authenticate(token)).toBeNull();
  });

  it('revokes no session if the transaction fails', async () => {
    const { token } = await open();

    const failed = transactions.run(ctx, async (ctx) => {
      await sessions.revokeAll(ctx, user, 'user_suspended', organization, OWN);
      throw new Error('failed afterwards');
    });

    await expect(failed).rejects.toThrow('failed afterwards');
    await expect(sessions.revokeAll(ctx, user, 'user_suspended', organization, OWN)).rejects.toThrow('transaction');
    expect(await authenticate(token)).not.toBeNull();
    const revoked = `SELECT FROM events WHERE tenant_id = $1 AND type = 'security.session_revoked'`;
    expect(await app.database.query(revoked, [organization.id])).toEqual([]);
  });
});

const invitation = () => ({
  purpose: 'invitation' as const,
  user,
  organizationId: organization.id,
  lifetimeMs: 7 * DAY_MS,
  boundTo: 'ada@example.com',
});
const issue = () => transactions.run(ctx, (ctx) => tokens.issue(ctx, invitation(), OWN));

describe('OneTimeTokenService', () => {
  it('returns the token to only one of eight concurrent callers', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, token } = await issue();

      const results = await Promise.all(
        Array.from({ length: 8 }, () => transactions.run(ctx, (ctx) => tokens.consume(ctx, token, 'invitation'))),
      );

      const won = results.filter((result) => result !== null);
      expect(won).toHaveLength(1);
      expect(won[0]).toMatchObject({
        id,
        userId: user.id,
        tenantId: user.tenantId,
        organizationId: organization.id,
        boundTo: 'ada@example.com',
      });
    }
  });

  it('rejects a token for another purpose', async () => {
    const { token } = await issue();

    expect(await tokens.consume(ctx, token, 'password_reset')).toBeNull();
    expect(await tokens.inspect(ctx, token, 'password_reset')).toBeNull();
    expect(await tokens.consume(ctx, token, 'invitation')).not.toBeNull();
  });

  it('rejects a token after the expiration', async () => {
    const { token, expiresAt } = await issue();
    expect(expiresAt).toEqual(new Date(now.getTime() + 7 * DAY_MS));

    advanceClock(7 * DAY_MS - 1);
    expect(await tokens.inspect(ctx, token, 'invitation')).toMatchObject({ state: 'valid' });
    advanceClock(1);
    expect(await tokens.inspect(ctx, token, 'invitation')).toMatchObject({ state: 'expired' });
    expect(await tokens.consume(ctx, token, 'invitation')).toBeNull();
  });
});
