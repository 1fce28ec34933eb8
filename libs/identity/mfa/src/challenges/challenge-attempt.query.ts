import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { CodeMethod, MfaMethod } from '../mfa-method.js';
import { MAX_CHALLENGE_ATTEMPTS, type MfaChallenge } from './mfa-challenge.entity.js';

const CHALLENGE_ROW = row({
  tenantId: column.text(),
  tokenHash: column.bytes(),
  userId: column.text(),
  organizationId: column.text(),
  firstMethod: column.text(),
  identityProviderId: column.nullable(column.text()),
  sessionId: column.nullable(column.text()),
  methods: column.arrayOf(column.text<MfaMethod>()),
  tries: column.integer(),
  codeMethod: column.nullable(column.text<CodeMethod>()),
  codeSealed: column.nullable(column.text()),
  passkeyChallenge: column.nullable(column.text()),
  passkeyExpiresAt: column.nullable(column.timestamp()),
  expiresAt: column.timestamp(),
  usedAt: column.nullable(column.timestamp()),
  createdAt: column.timestamp(),
});

const TENANT_ROW = row({ tenantId: column.text() });

@Injectable()
export class ChallengeAttemptQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Counts an attempt and returns the challenge, before the proof is verified. Concurrent calls can't exceed the limit. Returns null if the
   * challenge is used or expired, or if no attempt is left.
   */
  async startAttempt(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<MfaChallenge | null> {
    // On Citus, an update without the tenant would lock the challenges of all tenants against other such updates.
    const [key] = await this.query(ctx, TENANT_ROW, 'SELECT tenant_id AS "tenantId" FROM mfa_challenges WHERE token_hash = $1', [
      tokenHash,
    ]);
    if (!key) return null;
    const [challenge] = await this.query(
      ctx,
      CHALLENGE_ROW,
      `UPDATE mfa_challenges SET tries = tries + 1
       WHERE tenant_id = $1 AND token_hash = $2 AND used_at IS NULL AND tries < ${MAX_CHALLENGE_ATTEMPTS} AND expires_at > $3
       RETURNING tenant_id AS "tenantId", token_hash AS "tokenHash", user_id AS "userId", organization_id AS "organizationId",
         first_method AS "firstMethod", identity_provider_id AS "identityProviderId", session_id AS "sessionId", methods, tries, code_method AS "codeMethod",
         code_sealed AS "codeSealed", passkey_challenge AS "passkeyChallenge", passkey_expires_at AS "passkeyExpiresAt",
         expires_at AS "expiresAt", used_at AS "usedAt", created_at AS "createdAt"`,
      [key.tenantId, tokenHash, now],
    );
    return challenge ?? null;
  }
}
