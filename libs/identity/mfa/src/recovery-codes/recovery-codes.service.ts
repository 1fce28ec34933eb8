import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { constantTimeEqual, PasswordHasher } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import { CODE_COUNT, canonicalRecoveryCode, newRecoveryCode } from './recovery-code.js';
import type { RecoveryCodeSet } from './recovery-code-set.entity.js';
import { RecoveryCodeSetRepository } from './recovery-code-set.repository.js';
import { RecoveryCodeUseQuery } from './recovery-code-use.query.js';

const SALT_BYTES = 32;

/** New codes in clear, with their hashes: a transaction can store them without waiting. */
export interface GeneratedRecoveryCodes {
  readonly codes: readonly string[];
  readonly hashed: Pick<RecoveryCodeSet, 'salt' | 'hashes'>;
}

/**
 * Codes that replace a lost factor; each works once (OWASP ASVS 6.5.1, 6.5.2). Hashing is slow, so it happens outside transactions:
 * `generate`, then `replace`; `findHash`, then `consume`.
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
    // One after the other: ten at once would delay sign-ins.
    for (const code of codes) hashes.push(await this.hasher.derive(code.replaceAll('-', ''), salt));
    return { codes, hashed: { salt, hashes } };
  }

  /** Stores generated codes. The user's previous codes stop working. */
  async replace(ctx: RequestContext, { tenantId, id: userId }: UserKey, { hashed }: GeneratedRecoveryCodes): Promise<void> {
    await this.recoveryCodeSets.replace(ctx, { tenantId, userId, ...hashed, createdAt: this.clock.now() });
  }

  /** Returns how many unused codes the user has; null when the user never had codes. */
  async count(ctx: RequestContext, user: UserKey): Promise<number | null> {
    return (await this.recoveryCodeSets.find(ctx, user))?.hashes.length ?? null;
  }

  /** Returns the stored hash of a code, for `consume`; null when the user has no such code. Outside a transaction. @throws HashingOverloaded (503) */
  async findHash(ctx: RequestContext, user: UserKey, code: string): Promise<Buffer | null> {
    const canonical = canonicalRecoveryCode(code);
    const set = canonical === null ? null : await this.recoveryCodeSets.find(ctx, user);
    if (canonical === null || !set) return null;
    const hash = await this.hasher.derive(canonical, set.salt);
    return set.hashes.find((each) => constantTimeEqual(each, hash)) ?? null;
  }

  /** Uses a code up. Returns how many are left, or null when the code was used in the meantime. */
  async consume(ctx: RequestContext, user: UserKey, hash: Buffer): Promise<number | null> {
    return this.recoveryCodeUse.consume(ctx, user, hash);
  }

  async delete(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.recoveryCodeSets.delete(ctx, user);
  }
}
