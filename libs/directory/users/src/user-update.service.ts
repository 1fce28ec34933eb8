import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserAccessService } from './user-access.service.js';
import { UserChangesService } from './user-changes.service.js';
import { UserEmailChangesService } from './user-email-changes.service.js';
import { UserIdentifiersService } from './user-identifiers.service.js';
import { UserDeleted } from './user-errors.js';
import { applyFields, changedIdentifiers, changesIdentity, changesProvisioned } from './user-values.js';
import type { UpdateUserRequest } from './user.requests.js';
import type { User } from './user.entity.js';

/** Updates users for callers who manage them. */
@Injectable()
export class UserUpdateService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: UserAccessService,
    private readonly emailChanges: UserEmailChangesService,
    private readonly changes: UserChangesService,
    private readonly identifiers: UserIdentifiersService,
  ) {}

  /**
   * Updates the fields that the request contains. Merges `metadata` by key. A new email address is unverified, unless `verified` says otherwise.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, CurrentUserSignIn (403), UserDeleted, ManagedByScim (409),
   * EmailTaken, ExternalIdTaken (409), DomainNotAllowed (422)
   */
  async update(
    ctx: RequestContext,
    userId: string,
    request: UpdateUserRequest,
    verified: Partial<Pick<User, 'emailVerified'>> = {},
  ): Promise<User> {
    return this.work.run(ctx, async (ctx) => {
      const { user, managingOrganization } = await this.access.lockForChange(ctx, userId);
      if (user.status === 'deleted') throw new UserDeleted(userId);
      if (changesProvisioned(user, request)) await this.access.assertNotProvisioned(ctx, user);
      const { email } = request;
      const isNewEmail = email !== undefined && emailKey(email) !== user.emailKey;
      const signIn = changesIdentity(user, request) ? await this.access.assertCanChangeSignIn(ctx, user) : undefined;
      if (signIn) await this.identifiers.authorize(ctx, user.tenantId, changedIdentifiers(user, request));
      if (isNewEmail) {
        await this.emailChanges.assertAllowed(ctx, managingOrganization, email);
        await this.emailChanges.complete(ctx, managingOrganization, user, { from: user.email, to: email });
      }
      const change = (): void => {
        applyFields(user, request);
        if (isNewEmail && verified.emailVerified) user.emailVerified = true;
      };
      await this.changes.apply(ctx, { user, managingOrganization }, change, signIn);
      return user;
    });
  }
}
