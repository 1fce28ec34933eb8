import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { addressGroup } from '#platform/http';
import type { UserKey } from '#directory/sessions';
import { SignInLocked } from '../sign-in-errors.js';
import { type AttemptDecision, decideAttempt, type RefusedAttempt } from './attempt-limits.js';
import { type AccountKey, SignInFailureQuery } from './sign-in-failure.query.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

/** The account in a sign-in request. The organization and the user may not exist. */
export interface NamedAccount {
  /** Null for a nonexistent organization. */
  readonly organization: OrganizationScope | null;
  /** The id or slug from the request. */
  readonly organizationHandle: string;
  readonly email: string;
}

/** The tenant id for failures in nonexistent organizations. */
const NO_TENANT = 'none';

/** Limits attempts, and counts failed sign-ins in the database for all processes. */
@Injectable()
export class SignInAttemptsService {
  constructor(
    private readonly signInFailures: SignInFailureQuery,
    private readonly signInOrigins: SignInOriginRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Decides whether an attempt is admitted, and counts it as failed until `reset` or `withdraw`. Must run outside a transaction, so that
   * concurrent attempts read the count. `isAddressKnown` is whether the user has signed in from the caller's IP address before.
   */
  async begin(ctx: RequestContext, account: NamedAccount, isAddressKnown: Promise<boolean>): Promise<AttemptDecision> {
    if (ctx.transaction) throw new Error('An attempt must be counted in its own transaction.');
    const key = accountKey(account);
    const address = addressGroup(ctx);
    const decide = this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const [counts, isKnown] = await Promise.all([this.signInFailures.lock(ctx, key, address, now), isAddressKnown]);
      const decision = decideAttempt({ ...counts, isAddressKnown: isKnown }, now);
      const update = () => this.signInFailures.update(ctx, key, address, decision.kind === 'admitted' ? decision : counts);
      await pipeline(ctx, [update], { commit: true });
      return decision;
    });
    const [decision] = await Promise.all([decide, isAddressKnown]);
    return decision;
  }

  lockedError({ until }: RefusedAttempt): SignInLocked {
    return new SignInLocked(Math.max(1, Math.ceil((until.getTime() - this.work.now().getTime()) / 1_000)));
  }

  /** Subtracts an attempt that neither succeeded nor failed, for example because of an overload. */
  async withdraw(ctx: RequestContext, account: NamedAccount): Promise<void> {
    await this.signInFailures.withdraw(ctx, accountKey(account), addressGroup(ctx));
  }

  /** Resets the failures of a user from the caller's IP address. */
  async reset(ctx: RequestContext, { tenantId, email }: UserKey & { email: string }): Promise<void> {
    const key = { tenantId, account: hashToken(emailKey(email)) };
    await this.signInFailures.clear(ctx, key, addressGroup(ctx));
  }

  /** Returns whether the user has signed in from the caller's IP address before. */
  isAddressKnown(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return this.signInOrigins.isKnown(ctx, user, 'address', addressGroup(ctx));
  }

  /** Records the caller's IP address as known, in the caller's transaction. */
  trustAddress(ctx: RequestContext, user: UserKey): void {
    this.signInOrigins.record(ctx, user, 'address', addressGroup(ctx), this.work.now());
  }

  /** Returns the number of accounts of the tenant with failed sign-ins from the caller's IP address after `since`, at most `limit`. */
  async countFailedAccounts(ctx: RequestContext, tenantId: string, since: Date, limit: number): Promise<number> {
    return this.signInFailures.countAccounts(ctx, tenantId, addressGroup(ctx), since, limit);
  }
}

function accountKey({ organization, organizationHandle, email }: NamedAccount): AccountKey {
  if (organization) return { tenantId: organization.tenantId, account: hashToken(emailKey(email)) };
  return { tenantId: NO_TENANT, account: hashToken(`${organizationHandle}\n${emailKey(email)}`) };
}
