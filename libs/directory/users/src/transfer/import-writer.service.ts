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
import type { LineAccess } from './import-access.service.js';
import { ImportAccessWriterService } from './import-access-writer.service.js';
import { ImportedUsersQuery } from './imported-users.query.js';

export interface CreatedUser {
  readonly candidate: Candidate;
  readonly user: User;
  readonly roles: LineRoles['roles'];
  readonly gain: LineRoles['gain'];
  readonly access: LineAccess;
}

/** A line that changes a user or adds access. `previousEmail` is set if the email address changes. */
export interface ChangedUser {
  readonly line: number;
  readonly user: User;
  readonly changes: Changes;
  readonly previousEmail?: string;
  readonly signIn: SignInAuthorization;
  readonly access: LineAccess;
}

/** Writes the planned users and their events, with a fixed number of statements. */
@Injectable()
export class ImportWriterService {
  constructor(
    private readonly users: ImportedUsersQuery,
    private readonly access: ImportAccessWriterService,
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
    if (createdUsers[0]) this.directory.addAll(ctx, organization, createdUsers, { gain: createdUsers[0].gain, managed: true });
    const events = createdUsers.map(({ user }) => ({ data: userCreatedData(user), userId: user.id }));
    await this.work.publishAll(ctx, 'user.created', organization, events);
    await this.access.writeCredentials(ctx, organization, createdUsers, signIn);
    await this.access.write(ctx, createdUsers, signIn);
    for (const { user, candidate } of createdUsers)
      if (candidate.request.sendInvitation && user.status === 'pending')
        await this.invitations.send(ctx, organization, user, signIn);
    return new Set(created.filter(({ user }) => !inserted.has(user.id)).map(({ candidate }) => candidate));
  }

  async change(ctx: RequestContext, organization: OrganizationScope, changed: readonly ChangedUser[]): Promise<void> {
    if (!isNotEmpty(changed)) return;
    const now = this.work.now();
    const updated = changed.filter(({ changes }) => Object.keys(changes).length > 0);
    const users = updated.map(({ user }) => Object.assign(user, { updatedAt: now }));
    // Each line is authorized, so the authorization of one stands for all.
    const [{ signIn }] = changed;
    await this.users.updateAll(ctx, organization.tenantId, users, now, signIn);
    await this.directory.updateNames(ctx, users);
    const events = updated.map(({ user, changes }) => ({ data: { ...userData(user), changes }, userId: user.id }));
    await this.work.publishAll(ctx, 'user.updated', organization, events);
    await this.access.write(ctx, changed, signIn);
    for (const { user, previousEmail } of changed) {
      if (previousEmail === undefined) continue;
      await this.emailChanges.complete(ctx, organization, user, { from: previousEmail, to: user.email });
    }
  }
}

const isNotEmpty = <T>(items: readonly T[]): items is readonly [T, ...T[]] => items.length > 0;
