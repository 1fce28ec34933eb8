import { Injectable } from '@nestjs/common';
import type { Changes, OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import { unneeded, type SignInAuthorization } from '#directory/privileges';
import { UserEmailChangesService } from '../user-email-changes.service.js';
import { InvitationsService } from '../invitations.service.js';
import { userCreatedData, userData } from '../user-data.js';
import type { User } from '../user.entity.js';
import type { Candidate } from './import-plan.js';
import type { LineRoles } from './imported-roles.service.js';
import { ImportedPasswords } from './imported-passwords.js';
import { ImportedUsersQuery } from './imported-users.query.js';

export interface CreatedUser {
  readonly candidate: Candidate;
  readonly user: User;
  readonly roles: LineRoles['roles'];
  readonly gain: LineRoles['gain'];
}

/** A line that changes a user. `previousEmail` is set if the email address changes. */
export interface ChangedUser {
  readonly line: number;
  readonly user: User;
  readonly changes: Changes;
  readonly previousEmail?: string;
  readonly signIn: SignInAuthorization;
}

/** Writes the planned users and their events, with a fixed number of statements. */
@Injectable()
export class ImportWriterService {
  constructor(
    private readonly users: ImportedUsersQuery,
    private readonly passwords: ImportedPasswords,
    private readonly directory: UserDirectoryService,
    private readonly invitations: InvitationsService,
    private readonly emailChanges: UserEmailChangesService,
    private readonly work: UnitOfWork,
  ) {}

  /** Creates users. Returns the skipped lines: a concurrent request used the email address or external id first. */
  async create(
    ctx: RequestContext,
    organization: OrganizationScope,
    created: readonly CreatedUser[],
  ): Promise<ReadonlySet<Candidate>> {
    const users = created.map(({ user }) => user);
    const at = users[0]?.createdAt ?? this.work.now();
    const signIn = unneeded<'sign_in'>('new_user');
    const inserted = await this.users.insertAll(ctx, organization, users, at, signIn);
    const createdUsers = created.filter(({ user }) => inserted.has(user.id));
    // Each line is authorized, so the authorization of one stands for all.
    if (createdUsers[0]) this.directory.addAll(ctx, organization, createdUsers, createdUsers[0].gain);
    await this.passwords.store(ctx, organization.tenantId, createdUsers.flatMap(passwordOf), at, signIn);
    const events = createdUsers.map(({ user }) => ({ data: userCreatedData(user), userId: user.id }));
    await this.work.publishAll(ctx, 'user.created', organization, events);
    for (const { user, candidate } of createdUsers)
      if (candidate.request.sendInvitation && user.status === 'pending')
        await this.invitations.send(ctx, organization, user, signIn);
    return new Set(created.filter(({ user }) => !inserted.has(user.id)).map(({ candidate }) => candidate));
  }

  async change(ctx: RequestContext, organization: OrganizationScope, changed: readonly ChangedUser[]): Promise<void> {
    if (!changed[0]) return;
    const now = this.work.now();
    const users = changed.map(({ user }) => Object.assign(user, { updatedAt: now }));
    // Each line is authorized, so the authorization of one stands for all.
    await this.users.updateAll(ctx, organization.tenantId, users, now, changed[0].signIn);
    await this.directory.updateNames(ctx, users);
    const events = changed.map(({ user, changes }) => ({ data: { ...userData(user), changes }, userId: user.id }));
    await this.work.publishAll(ctx, 'user.updated', organization, events);
    for (const { user, previousEmail } of changed) {
      if (previousEmail === undefined) continue;
      await this.emailChanges.complete(ctx, organization, user, { from: previousEmail, to: user.email });
    }
  }
}

const passwordOf = ({ user, candidate }: CreatedUser) =>
  candidate.request.passwordHash === undefined ? [] : [{ userId: user.id, hash: candidate.request.passwordHash }];
