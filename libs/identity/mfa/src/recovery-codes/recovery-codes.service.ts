import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { constantTimeEqual, PasswordHasher } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import { canonicalRecoveryCode, CODE_COUNT, newRecoveryCode } from './recovery-code.js';
import type { RecoveryCodeSet } from './recovery-code-set.entity.js';
import { RecoveryCodeSetRepository } from './recovery-code-set.repository.js';
import { RecoveryCodeUseQuery } from './recovery-code-use.query.js';

const SALT_BYTES = 32;

/** Codes in clear, and what is stored of them: what a transaction can store without waiting. */
export interface PreparedRecoveryCodes {
  readonly codes: readonly string[];
  readonly stored: Pick<RecoveryCodeSet, 'salt' | 'hashes'>;
}

/**
 * Codes that stand in for a lost factor, each once (OWASP ASVS 6.5.1, 6.5.2). Hashing is slow, so it never happens inside a transaction:
 * prepare, then store; find, then take.
 */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly sets: RecoveryCodeSetRepository,
    private readonly uses: RecoveryCodeUseQuery,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Ten new codes. Outside a transaction. @throws HashingOverloaded (503) */
  async prepare(): Promise<PreparedRecoveryCodes> {
    const salt = randomBytes(SALT_BYTES);
    const codes = Array.from({ length: CODE_COUNT }, newRecoveryCode);
    const hashes: Buffer[] = [];
    // One after the other: ten at once would hold up whoever signs in meanwhile.
    for (const code of codes) hashes.push(await this.hasher.derive(canonicalRecoveryCode(code)!, salt));
    return { codes, stored: { salt, hashes } };
  }

  /** Stores prepared codes in the place of those before. */
  async store(ctx: RequestContext, user: UserKey, { stored }: PreparedRecoveryCodes): Promise<void> {
    await this.sets.replace(ctx, { tenantId: user.tenantId, userId: user.id, ...stored, createdAt: this.clock.now() });
  }

  /** How many codes the user has left; null without a set. */
  async countLeft(ctx: RequestContext, user: UserKey): Promise<number | null> {
    return (await this.sets.find(ctx, user))?.hashes.length ?? null;
  }

  /** The stored hash of a code, for `take`; null when it is none of the user's. Outside a transaction. @throws HashingOverloaded (503) */
  async find(ctx: RequestContext, user: UserKey, code: string): Promise<Buffer | null> {
    const canonical = canonicalRecoveryCode(code);
    const set = canonical === null ? null : await this.sets.find(ctx, user);
    if (canonical === null || !set) return null;
    const hash = await this.hasher.derive(canonical, set.salt);
    return set.hashes.find((each) => constantTimeEqual(each, hash)) ?? null;
  }

  /** Uses a found code up and gives how many are left; null when it was used meanwhile. */
  async take(ctx: RequestContext, user: UserKey, hash: Buffer): Promise<number | null> {
    return this.uses.consume(ctx, user, hash);
  }

  async remove(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.sets.delete(ctx, user);
  }
}
