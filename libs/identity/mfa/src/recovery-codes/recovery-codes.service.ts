import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { constantTimeEqual, PasswordHasher } from '#platform/crypto';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { CODE_COUNT, canonicalRecoveryCode, newRecoveryCode } from './recovery-code.js';
import type { RecoveryCodeSet } from './recovery-code-set.entity.js';
import { RecoveryCodeSetRepository } from './recovery-code-set.repository.js';
import { RecoveryCodeUseQuery } from './recovery-code-use.query.js';

const SALT_BYTES = 32;

/** New codes in clear text, and their hashes to store. */
export interface GeneratedRecoveryCodes {
  readonly codes: readonly string[];
  readonly hashed: Pick<RecoveryCodeSet, 'salt' | 'hashes'>;
}

/**
 * Generates and verifies recovery codes. Each code replaces a lost factor once (OWASP ASVS 6.5.1, 6.5.2). Hashing is slow and runs outside
 * transactions: call `generate` before `replace`, and `findHash` before `consume`.
 */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly recoveryCodeSets: RecoveryCodeSetRepository,
    private readonly recoveryCodeUse: RecoveryCodeUseQuery,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Generates ten codes, outside a transaction. @throws HashingOverloaded (503) */
  async generate(): Promise<GeneratedRecoveryCodes> {
    const salt = randomBytes(SALT_BYTES);
    const codes = Array.from({ length: CODE_COUNT }, newRecoveryCode);
    const hashes: Buffer[] = [];
    // Ten concurrent hashes would delay sign-ins, so the codes are hashed sequentially.
    for (const code of codes) hashes.push(await this.hasher.derive(code.replaceAll('-', ''), salt));
    return { codes, hashed: { salt, hashes } };
  }

  /** Stores generated codes. The previous codes stop working. */
  async replace(
    ctx: RequestContext,
    { tenantId, id: userId }: UserKey,
    { hashed }: GeneratedRecoveryCodes,
    signIn: SignInAuthorization,
  ): Promise<void> {
    await this.recoveryCodeSets.replace(ctx, { tenantId, userId, ...hashed, createdAt: this.clock.now() }, signIn);
  }

  /** Returns the number of unused codes, or null for a user who never had codes. */
  async count(ctx: RequestContext, user: UserKey): Promise<number | null> {
    return (await this.recoveryCodeSets.find(ctx, user))?.hashes.length ?? null;
  }

  /**
   * Returns the stored hash of a code, for `consume`, or null if the code does not exist. Must run outside a transaction.
   * @throws HashingOverloaded (503)
   */
  async findHash(ctx: RequestContext, user: UserKey, code: string): Promise<Buffer | null> {
    const canonical = canonicalRecoveryCode(code);
    const set = canonical === null ? null : await this.recoveryCodeSets.find(ctx, user);
    if (canonical === null || !set) return null;
    const hash = await this.hasher.derive(canonical, set.salt);
    return set.hashes.find((each) => constantTimeEqual(each, hash)) ?? null;
  }

  /** Uses up a code. Returns the number of remaining codes, or null if the code was already used. */
  async consume(ctx: RequestContext, user: UserKey, hash: Buffer): Promise<number | null> {
    return this.recoveryCodeUse.consume(ctx, user, hash);
  }

  async delete(ctx: RequestContext, user: UserKey, signIn: SignInAuthorization): Promise<void> {
    await this.recoveryCodeSets.delete(ctx, user, signIn);
  }
}
