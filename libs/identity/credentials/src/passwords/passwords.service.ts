import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordHasher } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import { UserActivationService, type UserAtHome } from '#directory/users';
import { PasswordRefused } from './password-errors.js';
import { PasswordHistoryQuery } from './password-history.query.js';
import { PasswordPoliciesService } from './password-policies.service.js';
import { PasswordRepository } from './password.repository.js';

/** How a password came to be set, as `user.password_changed` tells it. */
export type PasswordChangeMethod = 'invitation' | 'sign_up' | 'reset' | 'change';

/** A password that was found good, hashed: what a transaction can store without waiting. */
export interface PreparedPassword {
  readonly hash: string;
  /** How many replaced passwords are to be remembered. */
  readonly keepReplaced: number;
}

/** Sets and checks passwords. Hashing takes tens of milliseconds, so it never happens inside a transaction: prepare, then store. */
@Injectable()
export class PasswordsService {
  /** Checked against when there is none, so that the absence can't be told by the time (OWASP ASVS 6.3.8). */
  private decoy: Promise<string> | undefined;

  constructor(
    private readonly passwords: PasswordRepository,
    private readonly history: PasswordHistoryQuery,
    private readonly userActivation: UserActivationService,
    private readonly policies: PasswordPoliciesService,
    private readonly hasher: PasswordHasher,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sets a password where nothing else has to change with it.
   * @throws ResourceNotFound (404), PasswordRefused (422), HashingOverloaded (503)
   */
  async set(ctx: RequestContext, key: UserKey, password: string, method: PasswordChangeMethod): Promise<void> {
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const prepared = await this.prepare(ctx, owner, password);
    await this.work.run(ctx, async (ctx) => {
      const locked = await this.userActivation.lock(ctx, key);
      if (!locked) throw new ResourceNotFound('user', key.id);
      await this.store(ctx, locked, prepared, method);
    });
  }

  /**
   * Judges a new password by the policy in force and by those used before, and hashes it, where wanted in a queue. Outside a transaction.
   * @throws PasswordRefused (422), HashingOverloaded (503)
   */
  async prepare(
    ctx: RequestContext,
    owner: UserAtHome,
    password: string,
    enqueue: (hashing: () => Promise<string>) => Promise<string> = (hashing) => hashing(),
  ): Promise<PreparedPassword> {
    if (ctx.transaction) throw new Error('A password must be hashed before the transaction that stores it.');
    const policy = await this.policies.of(ctx, owner.home);
    await this.policies.assertAllowed(policy, owner, password);
    const hash = await enqueue(async () => {
      await this.refuseReuse(ctx, owner.user, password, policy.preventReuse);
      return this.hasher.hash(password);
    });
    return { hash, keepReplaced: Math.max(0, policy.preventReuse - 1) };
  }

  /** Stores a prepared password of a user that the caller's transaction holds, and tells of it. */
  async store(
    ctx: RequestContext,
    { user, home }: UserAtHome,
    { hash, keepReplaced }: PreparedPassword,
    method: PasswordChangeMethod,
  ): Promise<void> {
    if (!ctx.transaction) throw new Error('A password must be stored in the transaction of the change that allows it.');
    const at = this.work.now();
    await this.history.addCurrent(ctx, user, at, keepReplaced);
    await this.passwords.upsert(ctx, user, hash, at);
    await this.userActivation.recordPasswordChange(ctx, user, at);
    const data = { userId: user.id, method, changedAt: at.toISOString() };
    await this.work.publish(ctx, 'user.password_changed', home, data, { userId: user.id });
  }

  /** Whether the user has a password at all; those who sign in by other ways alone have none. */
  async isSet(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return (await this.passwords.findHash(ctx, user)) !== null;
  }

  /**
   * Whether it is the user's password; the same time for no user (null), or one without a password. A hash of former days or from elsewhere
   * is replaced (and until then takes its own time).
   * @throws HashingOverloaded (503)
   */
  async verify(ctx: RequestContext, user: UserKey | null, password: string): Promise<boolean> {
    const hash = user && (await this.passwords.findHash(ctx, user));
    if (!user || !hash) {
      await this.hasher.verify(password, await this.decoyHash());
      return false;
    }
    if (!(await this.hasher.verify(password, hash))) return false;
    if (this.hasher.needsRehash(hash)) await this.passwords.rehash(ctx, user, hash, await this.hasher.hash(password));
    return true;
  }

  /** Takes the password away from a user that the caller's transaction holds; nothing is remembered of it. */
  async remove(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.passwords.delete(ctx, user);
  }

  /** The present password counts among the last `preventReuse`. */
  private async refuseReuse(ctx: RequestContext, user: UserKey, password: string, preventReuse: number): Promise<void> {
    if (preventReuse === 0) return;
    const present = await this.passwords.findHash(ctx, user);
    const hashes = [...(present ? [present] : []), ...(await this.history.listHashes(ctx, user, preventReuse - 1))];
    for (const hash of hashes) {
      if (!(await this.hasher.verify(password, hash))) continue;
      const message = `This is one of your last ${preventReuse} passwords. Choose a different one.`;
      throw new PasswordRefused([{ code: 'password_reused', message }]);
    }
  }

  private decoyHash(): Promise<string> {
    this.decoy ??= this.hasher.hash('decoy').catch((error: unknown) => {
      this.decoy = undefined;
      throw error;
    });
    return this.decoy;
  }
}
