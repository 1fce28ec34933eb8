import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { hashToken } from '#platform/crypto';
import { addressGroup } from '#platform/http';
import type { UserKey } from '#directory/sessions';
import { type AttemptJudgement, judgeAttempt } from './attempt-limits.js';
import { type AccountKey, SignInFailureQuery } from './sign-in-failure.query.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

/** An e-mail address that somebody signs in with, whether there is such a user or not. */
export interface NamedAccount {
  /** Null where no organization has the name given. */
  readonly organization: OrganizationScope | null;
  /** The name given for the organization. */
  readonly organizationHandle: string;
  readonly email: string;
}

/** Stands for the tenant where the organization named does not exist: its failures are counted all the same. */
const NO_TENANT = 'none';

/** Counts failed sign-ins, exactly over all processes, and says when it is enough. */
@Injectable()
export class SignInAttemptsService {
  constructor(
    private readonly failures: SignInFailureQuery,
    private readonly origins: SignInOriginRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Judges a try and, when it is admitted, counts it as failed until `succeeded` says otherwise. Outside a transaction: others must see it. */
  async begin(ctx: RequestContext, named: NamedAccount, user: UserKey | null): Promise<AttemptJudgement> {
    if (ctx.transaction) throw new Error('An attempt must be counted in its own transaction.');
    const key = accountKey(named);
    const address = addressGroup(ctx.ipAddress);
    // The same statement for users that do not exist, so that the time tells nothing.
    const addressKnown = await this.origins.isKnown(ctx, user ?? { tenantId: key.tenantId, id: '' }, 'address', address);
    return this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const counted = await this.failures.lock(ctx, key, address, now);
      const judgement = judgeAttempt({ ...counted, addressKnown }, now);
      await this.failures.update(ctx, key, address, judgement.kind === 'admitted' ? judgement : counted);
      return judgement;
    });
  }

  /** Takes back that a try was counted, since it came to no end. */
  async withdraw(ctx: RequestContext, named: NamedAccount): Promise<void> {
    await this.failures.withdraw(ctx, accountKey(named), addressGroup(ctx.ipAddress));
  }

  /** Forgets the failures: the person has proven to be who they say, from this address. */
  async succeeded(ctx: RequestContext, user: UserKey & { email: string }): Promise<void> {
    const key = { tenantId: user.tenantId, account: hashToken(emailKey(user.email)) };
    await this.failures.clear(ctx, key, addressGroup(ctx.ipAddress));
  }

  /** Remembers the caller's address as one of the user's own. */
  async know(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.origins.record(ctx, user, 'address', addressGroup(ctx.ipAddress), this.work.now());
  }

  /** How many accounts of the tenant failed from the caller's address since a moment, counted up to `atMost`. */
  async accountsFailed(ctx: RequestContext, tenantId: string, since: Date, atMost: number): Promise<number> {
    return this.failures.countAccounts(ctx, tenantId, addressGroup(ctx.ipAddress), since, atMost);
  }
}

function accountKey({ organization, organizationHandle, email }: NamedAccount): AccountKey {
  if (organization) return { tenantId: organization.tenantId, account: hashToken(emailKey(email)) };
  return { tenantId: NO_TENANT, account: hashToken(`${organizationHandle}\n${emailKey(email)}`) };
}
