import { Injectable } from '@nestjs/common';
import {
  assertRoleGrantable,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettings } from '#directory/organizations';
import { OWNER_ROLE_ID, RolesService, type VisibleRole } from '#directory/roles';
import { type CountDelta, DirectoryCountsRepository } from './directory-counts.repository.js';
import type { DirectoryEntry } from './directory-entry.entity.js';
import { type DirectoryUser, entryColumns } from './directory-user.js';
import { MemberMail } from './member-mail.js';
import type { Membership } from './membership.entity.js';
import { MembershipRepository } from './membership.repository.js';
import type { AddMemberRequest } from './member.requests.js';
import { OwnersRepository } from './owners.repository.js';
import { PrivilegeCheckService } from './privilege-check.service.js';
import { SelfGrantsService } from './self-grants.service.js';
import { UserLookup } from './user-lookup.read.js';

export interface MemberWithRole {
  readonly membership: Membership;
  readonly role: VisibleRole;
}

/** Adds, changes and removes members of an organization. */
@Injectable()
export class MembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly memberships: MembershipRepository,
    private readonly counts: DirectoryCountsRepository,
    private readonly users: UserLookup,
    private readonly roles: RolesService,
    private readonly owners: OwnersRepository,
    private readonly settings: EffectiveSettings,
    private readonly selfGrants: SelfGrantsService,
    private readonly privileges: PrivilegeCheckService,
    private readonly mail: MemberMail,
  ) {}

  /**
   * Makes a user a member, or replaces a member's role.
   * @throws ResourceNotFound (404: user or role), GrantBeyondOwn, HigherPrivileges (403)
   */
  async add(ctx: RequestContext, request: AddMemberRequest): Promise<MemberWithRole> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      // Asked at once, and answered in this order: what is read behind the user's lock stays so.
      const [user, existing, entry] = await Promise.all([
        this.visibleUser(ctx, organization, request.userId),
        this.memberships.find(ctx, organization, request.userId),
        this.memberships.findEntry(ctx, organization, request.userId),
      ]);
      if (existing && request.role === undefined && existing.announced)
        return { membership: existing, role: await this.roleOf(ctx, existing) };
      const role = await this.wantedRole(ctx, organization, request.role, existing);
      if (existing && existing.roleId !== role.id) await this.privileges.assertCanManageAt(ctx, user, organization);
      const membership = existing
        ? await this.change(ctx, organization, user, existing, role)
        : await this.join(ctx, organization, user, role, entry);
      if (membership.roleId !== existing?.roleId) await this.selfGrants.notice(ctx, organization, user, role);
      if (request.sendNotification) await this.mail.sendAdded(ctx, organization, user, role);
      return { membership, role };
    });
  }

  /** @throws ResourceNotFound (404) when the user is no member, HigherPrivileges (403), LastOwner (409) */
  async remove(ctx: RequestContext, userId: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const user = await this.users.lock(ctx, userId);
      const membership = user && (await this.memberships.find(ctx, organization, user.id));
      if (!user || !membership || user.status === 'deleted') throw new ResourceNotFound('member', userId);
      await this.privileges.assertCanManageAt(ctx, user, organization);
      await this.owners.assertOtherRemains(ctx, user.id, organization.id);
      const role = await this.roleOf(ctx, membership);
      const assignments = await this.memberships.assignmentsOf(ctx, organization, [user.id]);
      await this.memberships.remove(ctx, organization, user.id);
      const entry = (await this.memberships.findEntry(ctx, organization, user.id))!;
      if (entry.managed) await this.memberships.saveEntry(ctx, { ...entry, member: false });
      else await this.memberships.removeEntry(ctx, entry);
      const dimensions = ['member', ...(entry.managed ? [] : ['user']), ...assignments.map(({ roleId }) => roleId)];
      this.counts.append(ctx, deltas(organization, user, dimensions, -1));
      const removedAt = this.work.now().toISOString();
      const data = { organizationId: organization.id, userId: user.id, email: user.email, role: role.name, removedAt };
      await this.work.publish(ctx, 'organization.member_removed', organization, data, { userId: user.id });
    });
  }

  private async visibleUser(ctx: RequestContext, { tenantId }: OrganizationScope, userId: string): Promise<DirectoryUser> {
    const { caller } = ctx;
    const [user, shown] = await Promise.all([
      this.users.lock(ctx, userId),
      caller.kind === 'platform' || this.users.showsTo(ctx, caller, { tenantId, id: userId }),
    ]);
    // Guests of other trees are let in by the platform alone.
    const within = caller.kind === 'platform' || user?.tenantId === tenantId;
    if (!user || user.status === 'deleted' || !within || !shown) throw new ResourceNotFound('user', userId);
    return user;
  }

  private async wantedRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    reference: string | undefined,
    existing: Membership | null,
  ): Promise<VisibleRole> {
    if (reference === undefined && existing) return this.roleOf(ctx, existing);
    const role = await this.roles.getLocked(
      ctx,
      organization,
      reference ?? (await this.settings.of(ctx, organization)).values.defaultRole,
    );
    // The default role is the organization's gift, not the caller's.
    if (reference !== undefined) assertRoleGrantable(ctx, organization, role, this.work.now());
    return role;
  }

  private async join(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    role: VisibleRole,
    entry: DirectoryEntry | null,
  ): Promise<Membership> {
    const now = this.work.now();
    const key = { tenantId: organization.tenantId, organizationId: organization.id, userId: user.id };
    const membership: Membership = {
      ...key,
      userTenantId: user.tenantId,
      roleId: role.id,
      announced: true,
      joinedAt: now,
      updatedAt: now,
    };
    this.memberships.insert(ctx, membership);
    this.memberships.insertAssignments(ctx, [
      { ...key, roleId: role.id, explicit: false, userStatus: user.status, assignedAt: now },
    ]);
    if (entry) await this.memberships.saveEntry(ctx, { ...entry, member: true });
    else
      this.memberships.insertEntry(ctx, {
        ...key,
        managed: false,
        member: true,
        ...entryColumns(user),
      });
    this.counts.append(ctx, deltas(organization, user, ['member', ...(entry ? [] : ['user']), role.id], 1));
    await this.announce(ctx, organization, user, membership, role);
    return membership;
  }

  /** Replaces a member's role. The first time, this is the addition of the membership that came with the user's creation. */
  private async change(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    membership: Membership,
    role: VisibleRole,
  ): Promise<Membership> {
    const first = !membership.announced;
    const previousId = membership.roleId;
    if (!first && previousId === role.id) return membership;
    const changed: Membership = { ...membership, roleId: role.id, announced: true, updatedAt: this.work.now() };
    await this.memberships.save(ctx, changed);
    const { lost, gained } = await this.replaceOwnRole(ctx, organization, user, previousId, role.id);
    if (first) await this.announce(ctx, organization, user, changed, role);
    else await this.publishRoleChange(ctx, organization, user, lost ? previousId : undefined, gained ? role : undefined);
    return changed;
  }

  /** Swaps the membership's own role among the assignments; one that was also given beside it stays. */
  async replaceOwnRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    previousId: string,
    nextId: string,
  ): Promise<{ lost: boolean; gained: boolean }> {
    if (previousId === nextId) return { lost: false, gained: false };
    const previous = await this.memberships.findAssignment(ctx, organization, user.id, previousId);
    const lost = previous !== null && !previous.explicit;
    if (lost && previousId === OWNER_ROLE_ID) await this.owners.assertOtherRemains(ctx, user.id, organization.id);
    if (lost) await this.memberships.removeAssignment(ctx, previous);
    const gained = (await this.memberships.findAssignment(ctx, organization, user.id, nextId)) === null;
    if (gained) {
      const key = { tenantId: organization.tenantId, organizationId: organization.id, userId: user.id };
      const assignment = { ...key, roleId: nextId, explicit: false, userStatus: user.status, assignedAt: this.work.now() };
      this.memberships.insertAssignments(ctx, [assignment]);
    }
    this.counts.append(ctx, [
      ...(lost ? deltas(organization, user, [previousId], -1) : []),
      ...(gained ? deltas(organization, user, [nextId], 1) : []),
    ]);
    return { lost, gained };
  }

  private async publishRoleChange(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    lostId?: string,
    gained?: VisibleRole,
  ): Promise<void> {
    const about = { organization: { id: organization.id, name: organization.name }, user: { id: user.id, email: user.email } };
    const lost = lostId === undefined ? undefined : (await this.roles.byIds(ctx, [organization.tenantId], [lostId])).get(lostId);
    if (lost)
      await this.work.publish(
        ctx,
        'role.revoked',
        organization,
        { ...about, role: { id: lost.id, name: lost.name } },
        { userId: user.id },
      );
    if (gained)
      await this.work.publish(
        ctx,
        'role.assigned',
        organization,
        { ...about, role: { id: gained.id, name: gained.name } },
        { userId: user.id },
      );
  }

  private async announce(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    membership: Membership,
    role: VisibleRole,
  ): Promise<void> {
    const joinedAt = membership.joinedAt.toISOString();
    const data = { organizationId: organization.id, userId: user.id, email: user.email, role: role.name, joinedAt };
    await this.work.publish(ctx, 'organization.member_added', organization, data, { userId: user.id });
  }

  private async roleOf(ctx: RequestContext, membership: Membership): Promise<VisibleRole> {
    const role = (await this.roles.byIds(ctx, [membership.tenantId], [membership.roleId])).get(membership.roleId);
    if (!role) throw new Error(`The role ${membership.roleId} of a membership is missing.`);
    return role;
  }
}

/** Changes of the counts that one user is part of. */
export const deltas = (
  organization: OrganizationScope,
  user: DirectoryUser,
  dimensions: readonly string[],
  amount: number,
): CountDelta[] =>
  dimensions.map((dimension) => ({
    tenantId: organization.tenantId,
    organizationId: organization.id,
    dimension,
    status: user.status,
    amount,
  }));
