import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordHasher } from '#platform/crypto';
import { type SignInAuthorization, unneeded } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import {
  AccountAccess,
  type ImportedPassword,
  type ImportedPasswordHandler,
  ImportedPasswords,
  UserActivationService,
  type UserWithOrganization,
} from '#directory/users';
import { PasswordRefused } from './password-errors.js';
import { PasswordHistoryQuery } from './password-history.query.js';
import { PasswordPoliciesService } from './password-policies.service.js';
import { PasswordRepository } from './password.repository.js';

/** The reason for a new password, as reported in `user.password_changed`. */
export type PasswordChangeMethod = 'invitation' | 'sign_up' | 'reset' | 'change' | 'migration';

/** The hash of an allowed password, ready to store in a transaction. */
export interface PreparedPassword {
  readonly hash: string;
  readonly historyLength: number;
}

/** Sets and verifies passwords. Hashing is slow and runs before the transaction: call `prepare` before `store`. */
@Injectable()
export class PasswordsService implements ImportedPasswordHandler, OnModuleInit {
  /** The hash that is verified for a user without a password, so that the response takes equally long (OWASP ASVS 6.3.8). */
  private decoy: Promise<string> | undefined;

  constructor(
    private readonly passwordRepository: PasswordRepository,
    private readonly passwordHistory: PasswordHistoryQuery,
    private readonly userActivation: UserActivationService,
    private readonly passwordPolicies: PasswordPoliciesService,
    private readonly hasher: PasswordHasher,
    private readonly accountAccess: AccountAccess,
    private readonly importedPasswords: ImportedPasswords,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.importedPasswords.register(this);
    // Users who lose all access to their accounts have no password.
    this.accountAccess.register((ctx, { user }, { signIn }) => this.passwordRepository.delete(ctx, user, signIn));
  }

  /**
   * Sets a password in its own transaction.
   * @throws ResourceNotFound (404), PasswordRefused (422), HashingOverloaded (503)
   */
  async set(
    ctx: RequestContext,
    key: UserKey,
    password: string,
    method: PasswordChangeMethod,
    signIn: SignInAuthorization,
  ): Promise<void> {
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const prepared = await this.prepare(ctx, owner, password);
    await this.work.run(ctx, async (ctx) => {
      const locked = await this.userActivation.lock(ctx, key);
      if (!locked) throw new ResourceNotFound('user', key.id);
      await this.store(ctx, locked, prepared, method, signIn);
    });
  }

  /**
   * Checks a new password against the policy and the previous passwords, and hashes it. `enqueue` can limit concurrent hashing.
   * @throws Error inside a transaction; PasswordRefused (422), HashingOverloaded (503)
   */
  async prepare(
    ctx: RequestContext,
    owner: UserWithOrganization,
    password: string,
    enqueue: (hashing: () => Promise<string>) => Promise<string> = (hashing) => hashing(),
  ): Promise<PreparedPassword> {
    if (ctx.transaction) throw new Error('A password must be hashed before the transaction that stores it.');
    const policy = await this.passwordPolicies.get(ctx, owner.managingOrganization);
    await this.passwordPolicies.assertAllowed(policy, owner, password);
    const hash = await enqueue(async () => {
      await this.assertNotReused(ctx, owner.user, password, policy.preventReuse);
      return this.hasher.hash(password);
    });
    return { hash, historyLength: Math.max(0, policy.preventReuse - 1) };
  }

  /**
   * Stores a prepared password and publishes `user.password_changed`. The transaction must have locked the user.
   * @throws Error outside a transaction
   */
  async store(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    { hash, historyLength }: PreparedPassword,
    method: PasswordChangeMethod,
    signIn: SignInAuthorization,
  ): Promise<void> {
    if (!ctx.transaction) throw new Error('A password must be stored in the transaction of the change that allows it.');
    const at = this.work.now();
    await this.passwordHistory.addCurrent(ctx, user, at, historyLength);
    await this.passwordRepository.upsert(ctx, user, hash, at, signIn);
    await this.userActivation.recordPasswordChange(ctx, user, at);
    const data = { userId: user.id, method, changedAt: at.toISOString() };
    await this.work.publish(ctx, 'user.password_changed', managingOrganization, data, { userId: user.id });
  }

  /** Stores the hash of a password that the previous system of the user confirmed, unless the user has a password now. */
  async adopt(ctx: RequestContext, key: UserKey, hash: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const locked = await this.userActivation.lock(ctx, key);
      if (!locked || (await this.isSet(ctx, key))) return;
      await this.store(ctx, locked, { hash, historyLength: 0 }, 'migration', unneeded<'sign_in'>('previous_password'));
    });
  }

  /** Stores the password hashes of imported users. The first sign-in of a user replaces the hash. */
  async storeImported(
    ctx: RequestContext,
    tenantId: string,
    passwords: readonly ImportedPassword[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void> {
    const credentials = passwords.map(({ userId, hash }) => ({
      tenantId,
      userId,
      passwordHash: hash,
      passwordChangedAt: at,
    }));
    this.passwordRepository.insertAll(ctx, credentials, signIn);
  }

  async isSet(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return (await this.passwordRepository.findHash(ctx, user)) !== null;
  }

  /**
   * Returns whether the password is correct. Takes equally long without a stored password. Replaces an imported or
   * outdated hash, whose verification can take a different time.
   * @throws HashingOverloaded (503)
   */
  async verify(ctx: RequestContext, user: UserKey, password: string): Promise<boolean> {
    return this.verifyStored(ctx, user, await this.passwordRepository.findHash(ctx, user), password);
  }

  /** Does the same as `verify` with a hash that was read with the user. */
  async verifyStored(ctx: RequestContext, user: UserKey | null, hash: string | null, password: string): Promise<boolean> {
    if (!user || !hash) {
      await this.hasher.verify(password, await this.decoyHash());
      return false;
    }
    if (!(await this.hasher.verify(password, hash))) return false;
    if (this.hasher.needsRehash(hash)) await this.passwordRepository.rehash(ctx, user, hash, await this.hasher.hash(password));
    return true;
  }

  /** The current password counts as one of the last `preventReuse`. @throws PasswordRefused (422) */
  private async assertNotReused(ctx: RequestContext, user: UserKey, password: string, preventReuse: number): Promise<void> {
    if (preventReuse === 0) return;
    const current = await this.passwordRepository.findHash(ctx, user);
    const hashes = [...(current ? [current] : []), ...(await this.passwordHistory.listHashes(ctx, user, preventReuse - 1))];
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
