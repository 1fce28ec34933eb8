import { Injectable } from '@nestjs/common';
import type { Changes, DomainError, OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { MembershipRepository, UserDirectoryService } from '#directory/memberships';
import { EmailChangeMail } from '../email-change-mail.js';
import { InvitationsService } from '../invitations.service.js';
import { userCreatedData, userData } from '../user-data.js';
import type { User } from '../user.entity.js';
import { type Candidate, type Matches, refusalOf } from './import-plan.js';
import type { GivenRoles } from './imported-roles.service.js';
import { ImportedPasswords } from './imported-passwords.js';
import { ImportedUsersQuery } from './imported-users.query.js';

/** A line that makes a user. */
export interface CreatedUser {
  readonly candidate: Candidate;
  readonly user: User;
  readonly roles: GivenRoles;
}

/** A line that changes one. `previousEmail` is set when the address is another now. */
export interface ChangedUser {
  readonly line: number;
  readonly user: User;
  readonly changes: Changes;
  readonly previousEmail?: string;
}

/** Writes what lines plan, each kind with a fixed number of statements, and its events with it. */
@Injectable()
export class ImportWriterService {
  constructor(
    private readonly users: ImportedUsersQuery,
    private readonly passwords: ImportedPasswords,
    private readonly directory: UserDirectoryService,
    private readonly memberships: MembershipRepository,
    private readonly invitations: InvitationsService,
    private readonly emailChange: EmailChangeMail,
    private readonly work: UnitOfWork,
  ) {}

  /** Lines that mean users whom this organization does not manage, and why that is refused. */
  async refusals(
    ctx: RequestContext,
    organization: OrganizationScope,
    candidates: readonly Candidate[],
    matches: Matches,
  ): Promise<Map<Candidate, DomainError>> {
    const strangers = candidates.flatMap((candidate) =>
      matches
        .touchedBy(candidate.request)
        .filter((user) => user.organizationId !== organization.id)
        .map((user) => ({ candidate, user })),
    );
    if (strangers.length === 0) return new Map();
    const ids = strangers.map(({ user }) => user.id);
    const members = await this.memberships.mapByUser(ctx, organization, ids);
    return new Map(strangers.map(({ candidate, user }) => [candidate, refusalOf(user, members.has(user.id), candidate.request)]));
  }

  /** Gives the lines whose address or external id somebody else took meanwhile; those made nothing. */
  async create(
    ctx: RequestContext,
    organization: OrganizationScope,
    created: readonly CreatedUser[],
  ): Promise<ReadonlySet<Candidate>> {
    const users = created.map(({ user }) => user);
    const at = users[0]?.createdAt ?? this.work.now();
    const inserted = await this.users.insertAll(ctx, organization, users, at);
    const made = created.filter(({ user }) => inserted.has(user.id));
    this.directory.addAll(ctx, organization, made);
    await this.passwords.keep(ctx, organization.tenantId, made.flatMap(passwordOf), at);
    const happened = made.map(({ user }) => ({ data: userCreatedData(user), userId: user.id }));
    await this.work.publishAll(ctx, 'user.created', organization, happened);
    for (const { user, candidate } of made)
      if (candidate.request.sendInvitation && user.status === 'pending') await this.invitations.send(ctx, organization, user);
    return new Set(created.filter(({ user }) => !inserted.has(user.id)).map(({ candidate }) => candidate));
  }

  async change(ctx: RequestContext, organization: OrganizationScope, changed: readonly ChangedUser[]): Promise<void> {
    if (changed.length === 0) return;
    const now = this.work.now();
    const users = changed.map(({ user }) => Object.assign(user, { updatedAt: now }));
    await this.users.updateAll(ctx, organization.tenantId, users, now);
    await this.directory.updateNames(ctx, users);
    const happened = changed.map(({ user, changes }) => ({ data: { ...userData(user), changes }, userId: user.id }));
    await this.work.publishAll(ctx, 'user.updated', organization, happened);
    for (const { user, previousEmail } of changed) {
      if (previousEmail === undefined) continue;
      await this.emailChange.send(ctx, organization, user, previousEmail, user.email);
      await this.invitations.withdraw(ctx, user);
    }
  }
}

const passwordOf = ({ user, candidate }: CreatedUser) =>
  candidate.request.passwordHash === undefined ? [] : [{ userId: user.id, hash: candidate.request.passwordHash }];
