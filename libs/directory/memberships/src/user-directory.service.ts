import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import type { VisibleRole } from '#directory/roles';
import { type CountDelta, DirectoryCountsRepository } from './directory-counts.repository.js';
import type { DirectoryUser } from './directory-user.js';
import { type Admission, MembershipRepository } from './membership.repository.js';

/** Keeps directories, counts and roles in step with users. All methods run in the caller's transaction. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly counts: DirectoryCountsRepository,
    private readonly clock: Clock,
  ) {}

  /** Enters a new user into the organization that manages it, as a member: the first role is the membership's own. */
  admit(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    roles: readonly [VisibleRole, ...VisibleRole[]],
  ): void {
    this.admitAll(ctx, organization, [{ user, roles }]);
  }

  /** The same as `admit` for many users at once. */
  admitAll(ctx: RequestContext, organization: OrganizationScope, admitted: readonly Admission[]): void {
    if (admitted.length === 0) return;
    this.memberships.insertAdmitted(ctx, organization, admitted, this.clock.now());
    const amounts = new Map<string, CountDelta>();
    for (const { user, roles } of admitted) {
      for (const dimension of ['user', 'member', ...roles.map((role) => role.id)]) {
        const key = `${dimension} ${user.status}`;
        const amount = (amounts.get(key)?.amount ?? 0) + 1;
        const { tenantId, id: organizationId } = organization;
        amounts.set(key, { tenantId, organizationId, dimension, status: user.status, amount });
      }
    }
    this.counts.append(ctx, [...amounts.values()]);
  }

  /** Copies many users whose status stayed as it was into every directory that shows them. */
  async refreshAll(ctx: RequestContext, users: readonly DirectoryUser[]): Promise<void> {
    if (users.length > 0) await this.memberships.refreshAllEntries(ctx, users);
  }

  /** Copies a changed user into every directory that shows it; `previousStatus` is what the counts still have. */
  async refresh(ctx: RequestContext, user: DirectoryUser, previousStatus: string): Promise<void> {
    if (user.status !== previousStatus) await this.counts.moveStatus(ctx, user.id, previousStatus, user.status);
    await this.memberships.refreshEntries(ctx, user);
  }

  /** Notes in every directory that shows the user when it signed in last. */
  async noteSignIn(ctx: RequestContext, userId: string, at: Date): Promise<void> {
    await this.memberships.noteSignIn(ctx, userId, at);
  }

  /** Takes a user out of every organization, for good. */
  async forget(ctx: RequestContext, userId: string, status: string): Promise<void> {
    await this.counts.removeUser(ctx, userId, status);
    await this.memberships.removeUser(ctx, userId);
  }
}
