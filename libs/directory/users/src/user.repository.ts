import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository, HistoryQuery, isUniqueViolation } from '#platform/database';
import { DirectoryEntry } from '#directory/memberships';
import { Not, Repository, type SelectQueryBuilder } from 'typeorm';
import type { LossAuthorization, SignInAuthorization } from '#directory/privileges';
import { EmailTaken, ExternalIdTaken } from './user-errors.js';
import { User } from './user.entity.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;
type UserKey = Pick<User, 'tenantId' | 'id'>;

/** Excludes users whose managing organization is deleted. A join could make the planner read all organizations of the tenant first. */
const MANAGING_ORGANIZATION_NOT_DELETED =
  '(SELECT o.deleted_at FROM organizations o WHERE o.tenant_id = :tenantId AND o.id = u.organization_id) IS NULL';

@Injectable()
export class UserRepository extends BaseRepository<User> {
  constructor(
    @InjectRepository(User) users: Repository<User>,
    private readonly history: HistoryQuery,
  ) {
    super(users);
  }

  /**
   * Defers the insert to the next statement of the transaction or to the commit. The deferred statement can throw EmailTaken or
   * ExternalIdTaken.
   */
  insert(ctx: RequestContext, user: User, _signIn: SignInAuthorization): void {
    this.insertDeferred(ctx, [user], (error) => conflictOf(user, error));
    user.version = 1;
  }

  /** Saves changes of the profile: neither identifiers nor the status. */
  async saveProfile(ctx: RequestContext, user: User): Promise<void> {
    await this.saveRow(ctx, user);
  }

  /** Saves changes of identifiers or the status. @throws EmailTaken, ExternalIdTaken */
  async save(ctx: RequestContext, user: User, _authorization: SignInAuthorization | LossAuthorization): Promise<void> {
    try {
      await this.saveRow(ctx, user);
    } catch (error) {
      throw conflictOf(user, error) ?? error;
    }
  }

  /** Deletes a user permanently, with the history of the user in all tenants. */
  async delete(ctx: RequestContext, { tenantId, id, guestTenantIds }: User, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, id });
    await this.history.purgeUsers(ctx, [{ userId: id, tenantIds: [tenantId, ...guestTenantIds] }]);
  }

  /** Returns a user in the directory of the organization, including a deleted user. */
  async find(ctx: RequestContext, organization: OrganizationRef, userId: string): Promise<User | null> {
    const user = await this.inDirectory(ctx, organization, userId).getOne();
    if (user) return user;
    const guest = await this.guest(ctx, organization, userId);
    return guest && guest.getOne();
  }

  /** Locks and returns a user in the directory of the organization, including a deleted user, until the transaction ends. */
  async lock(ctx: RequestContext, organization: OrganizationRef, userId: string): Promise<User | null> {
    const locked = (query: SelectQueryBuilder<User>) => query.setLock('for_no_key_update', undefined, ['u']).getOne();
    const user = await locked(this.inDirectory(ctx, organization, userId));
    if (user) return user;
    const guest = await this.guest(ctx, organization, userId);
    return guest && locked(guest);
  }

  /** Returns a user by tenant and id, for requests without an organization, such as requests of users for their own account. */
  findById(ctx: RequestContext, { tenantId, id }: UserKey): Promise<User | null> {
    return this.rows(ctx).findOneBy({ tenantId, id });
  }

  /** Locks and returns a user by tenant and id until the transaction ends. */
  lockById(ctx: RequestContext, { tenantId, id }: UserKey): Promise<User | null> {
    return this.rows(ctx).findOne({ where: { tenantId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Returns the user with this email address in the directory of one of the organizations, unless deleted. */
  async findByEmail(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    emailKey: string,
  ): Promise<User | null> {
    return this.rows(ctx)
      .createQueryBuilder('u')
      .where(`u.tenantId = :tenantId AND u.emailKey = :emailKey AND u.status <> 'deleted'`, { tenantId, emailKey })
      .andWhere(
        `EXISTS (SELECT FROM directory_entries e
           WHERE e.tenant_id = :tenantId AND e.organization_id = ANY(:organizationIds) AND e.user_id = u.id)`,
        { organizationIds },
      )
      .getOne();
  }

  /** Returns the user of a tenant with this email address, unless deleted. */
  findByEmailInTenant(ctx: RequestContext, tenantId: string, emailKey: string): Promise<User | null> {
    return this.rows(ctx).findOneBy({ tenantId, emailKey, status: Not('deleted') });
  }

  /** Locks and returns the user of a tenant with this email address until the transaction ends, unless deleted. */
  async lockByEmailInTenant(ctx: RequestContext, tenantId: string, emailKey: string): Promise<User | null> {
    return this.rows(ctx)
      .createQueryBuilder('u')
      .where(`u.tenantId = :tenantId AND u.emailKey = :emailKey AND u.status <> 'deleted'`, { tenantId, emailKey })
      .setLock('for_no_key_update')
      .getOne();
  }

  /** Locks and returns the users of a tenant who have one of the email addresses or external ids, except deleted users. */
  lockByEmailOrExternalId(
    ctx: RequestContext,
    tenantId: string,
    emailKeys: readonly string[],
    externalIds: readonly string[],
  ): Promise<User[]> {
    return this.rows(ctx)
      .createQueryBuilder('u')
      .where(`u.tenant_id = :tenantId AND u.status <> 'deleted'`, { tenantId })
      .andWhere('(u.email_key = ANY (:emailKeys) OR (u.external_id IS NOT NULL AND u.external_id = ANY (:externalIds)))', {
        emailKeys: [...emailKeys],
        externalIds: [...externalIds],
      })
      .orderBy('u.id')
      .setLock('for_no_key_update', undefined, ['u'])
      .getMany();
  }

  lockDeleted(ctx: RequestContext, { tenantId, id }: UserKey): Promise<User | null> {
    return this.rows(ctx).findOne({ where: { tenantId, id, status: 'deleted' }, lock: { mode: 'for_no_key_update' } });
  }

  /** Records the time of a sign-in. `updatedAt` and `version` stay unchanged. */
  async recordSignIn(ctx: RequestContext, { tenantId, id }: UserKey, lastLoginAt: Date): Promise<void> {
    // Prevents TypeORM from incrementing the version.
    await this.updateRows(ctx, { tenantId, id }, { lastLoginAt, version: () => 'version' });
  }

  /** Selects a user of the tenant in the directory of the organization. */
  private inDirectory(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string): SelectQueryBuilder<User> {
    return this.managed(ctx, { tenantId, id: userId }).andWhere(
      `EXISTS (SELECT FROM directory_entries e
         WHERE e.tenant_id = :tenantId AND e.organization_id = :organizationId AND e.user_id = :userId)`,
      { organizationId: id },
    );
  }

  /** Selects a guest in the directory of the organization, in the tenant of the guest. Returns null if the directory has no such guest. */
  private async guest(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    userId: string,
  ): Promise<SelectQueryBuilder<User> | null> {
    const entries = this.rows(ctx).manager.getRepository(DirectoryEntry);
    const entry = await entries.findOneBy({ tenantId, organizationId: id, userId, userTenantId: Not(tenantId) });
    return entry && this.managed(ctx, { tenantId: entry.userTenantId, id: userId });
  }

  private managed(ctx: RequestContext, { tenantId, id: userId }: UserKey): SelectQueryBuilder<User> {
    return this.rows(ctx)
      .createQueryBuilder('u')
      .where('u.tenant_id = :tenantId AND u.id = :userId', { tenantId, userId })
      .andWhere(MANAGING_ORGANIZATION_NOT_DELETED);
  }
}

function conflictOf(user: User, error: unknown): EmailTaken | ExternalIdTaken | undefined {
  if (isUniqueViolation(error, 'users_email_key')) return new EmailTaken(user.email);
  if (isUniqueViolation(error, 'users_external_id_key')) return new ExternalIdTaken(user.externalId ?? '');
  return undefined;
}
