import { Injectable } from '@nestjs/common';
import { changesBetween, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserDirectoryService } from '#directory/memberships';
import type { SignInAuthorization } from '#directory/privileges';
import { ScimManagementService } from '#directory/scim-connections';
import type { UserWithOrganization } from './user-activation.service.js';
import { userData } from './user-data.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Fields with which users sign in or are identified. */
const IDENTITY_FIELDS = [
  'email',
  'emailVerified',
  'emailConfirmed',
  'externalId',
  'phoneNumber',
  'managedBy',
] as const satisfies (keyof User)[];

/** Saves changes of users and publishes `user.updated`. A no-op publishes no event. */
@Injectable()
export class UserChangesService {
  constructor(
    private readonly users: UserRepository,
    private readonly directory: UserDirectoryService,
    private readonly work: UnitOfWork,
    private readonly scim: ScimManagementService,
  ) {}

  /** @throws ManagedByScim (409) when a SCIM connection decides about the user and the caller is somebody else */
  async assertNotProvisioned(ctx: RequestContext, user: User): Promise<void> {
    await this.scim.assertCanChange(ctx, 'user', user);
  }

  /**
   * Applies a change to a user whom the caller has locked. The change must not affect the status, and without `signIn` not the
   * identification. Returns whether a field changed.
   * @throws EmailTaken, ExternalIdTaken (409)
   */
  async apply(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    change: () => void,
    signIn?: SignInAuthorization,
  ): Promise<boolean> {
    const before = userData(user);
    const identity = IDENTITY_FIELDS.map((field) => user[field]);
    change();
    const changes = changesBetween(before, userData(user));
    const isChanged = Object.keys(changes).length > 0;
    const changesIdentity = IDENTITY_FIELDS.some((field, index) => user[field] !== identity[index]);
    if (isChanged) user.updatedAt = this.work.now();
    if (changesIdentity && !signIn) throw new Error('A change of the identification of a user needs an authorization.');
    if (changesIdentity && signIn) await this.users.save(ctx, user, signIn);
    else if (isChanged) await this.users.saveProfile(ctx, user);
    if (!isChanged) return false;
    await this.directory.update(ctx, user, user.status);
    await this.work.publish(ctx, 'user.updated', managingOrganization, { ...userData(user), changes }, { userId: user.id });
    return true;
  }
}
