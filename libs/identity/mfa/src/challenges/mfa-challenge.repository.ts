import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { CodeMethod, MfaMethod } from '../mfa-method.js';

/** A sign-in whose first factor is proven, or a session whose user proves again who they are. */
export interface MfaChallenge {
  readonly tenantId: string;
  readonly tokenHash: Buffer;
  readonly userId: string;
  readonly organizationId: string;
  readonly firstMethod: string;
  /** The session whose user proves again who they are; null at a sign-in. */
  readonly sessionId: string | null;
  /** What may be proven. */
  readonly methods: readonly MfaMethod[];
  readonly codeMethod: CodeMethod | null;
  readonly codeSealed: string | null;
  readonly passkeyChallenge: string | null;
  readonly passkeyExpiresAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export type NewMfaChallenge = Omit<MfaChallenge, 'codeMethod' | 'codeSealed' | 'passkeyChallenge' | 'passkeyExpiresAt'>;

const MAX_TRIES = 5;

const COLUMNS = `tenant_id AS "tenantId", token_hash AS "tokenHash", user_id AS "userId", organization_id AS "organizationId",
  first_method AS "firstMethod", session_id AS "sessionId", methods, code_method AS "codeMethod", code_sealed AS "codeSealed",
  passkey_challenge AS "passkeyChallenge", passkey_expires_at AS "passkeyExpiresAt", expires_at AS "expiresAt",
  created_at AS "createdAt"`;

const LIVE = `used_at IS NULL AND tries < ${MAX_TRIES}`;

/** Rows of sign-ins that wait for a second factor. Live means: neither used nor expired nor worn out. */
@Injectable()
export class MfaChallengeRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, challenge: NewMfaChallenge): Promise<void> {
    const { tenantId, tokenHash, userId, organizationId, firstMethod, sessionId, methods, expiresAt, createdAt } = challenge;
    await this.query(
      ctx,
      `INSERT INTO mfa_challenges (tenant_id, token_hash, user_id, organization_id, first_method, session_id, methods, expires_at,
         created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [tenantId, tokenHash, userId, organizationId, firstMethod, sessionId, methods, expiresAt, createdAt],
    );
  }

  async find(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<MfaChallenge | null> {
    const rows = await this.query<MfaChallenge>(
      ctx,
      `SELECT ${COLUMNS} FROM mfa_challenges WHERE token_hash = $1 AND ${LIVE} AND expires_at > $2`,
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }

  /** Counts a try before it is judged: however many come at once, no more than five are. Null when none is left. */
  async countTry(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<MfaChallenge | null> {
    const rows = await this.query<MfaChallenge>(
      ctx,
      `UPDATE mfa_challenges SET tries = tries + 1 WHERE token_hash = $1 AND ${LIVE} AND expires_at > $2 RETURNING ${COLUMNS}`,
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }

  /** Uses the challenge up; of several at once, one gets true. */
  async consume(ctx: RequestContext, { tenantId, tokenHash }: MfaChallenge, now: Date): Promise<boolean> {
    const consumed = await this.execute(
      ctx,
      'UPDATE mfa_challenges SET used_at = $3 WHERE tenant_id = $1 AND token_hash = $2 AND used_at IS NULL AND expires_at > $3',
      [tenantId, tokenHash, now],
    );
    return consumed === 1;
  }

  /** Keeps the code that was sent; one sent before is worth nothing any more. */
  async keepCode(
    ctx: RequestContext,
    { tenantId, tokenHash }: MfaChallenge,
    method: CodeMethod,
    codeSealed: string,
  ): Promise<void> {
    await this.query(
      ctx,
      'UPDATE mfa_challenges SET code_method = $3, code_sealed = $4 WHERE tenant_id = $1 AND token_hash = $2',
      [tenantId, tokenHash, method, codeSealed],
    );
  }

  async keepPasskeyChallenge(
    ctx: RequestContext,
    { tenantId, tokenHash }: MfaChallenge,
    challenge: string,
    expiresAt: Date,
  ): Promise<void> {
    await this.query(
      ctx,
      'UPDATE mfa_challenges SET passkey_challenge = $3, passkey_expires_at = $4 WHERE tenant_id = $1 AND token_hash = $2',
      [tenantId, tokenHash, challenge, expiresAt],
    );
  }

  /** Uses the passkeys' challenge up, whatever becomes of the answer; of several at once, one gets true. */
  async takePasskeyChallenge(ctx: RequestContext, { tenantId, tokenHash, passkeyChallenge }: MfaChallenge): Promise<boolean> {
    const taken = await this.execute(
      ctx,
      `UPDATE mfa_challenges SET passkey_challenge = NULL, passkey_expires_at = NULL
       WHERE tenant_id = $1 AND token_hash = $2 AND passkey_challenge = $3`,
      [tenantId, tokenHash, passkeyChallenge],
    );
    return taken === 1;
  }

  /** Makes all challenges of a user worthless, because a factor was removed or the password changed. */
  async voidAll(ctx: RequestContext, { tenantId, id }: { tenantId: string; id: string }, now: Date): Promise<void> {
    await this.query(ctx, 'UPDATE mfa_challenges SET used_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND used_at IS NULL', [
      tenantId,
      id,
      now,
    ]);
  }
}
