import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository, isUniqueViolation } from '#platform/database';
import { DirectoryEntry } from '#directory/memberships';
import { DataSource, In, Not } from 'typeorm';
import { EmailTaken, ExternalIdTaken } from './user-errors.js';
import { User } from './user.entity.js';

type Place = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** A condition, not a join: before the tables have statistics, the planner would begin one with all organizations of the tenant. */
const HOME_STANDS =
  '(SELECT o.deleted_at FROM organizations o WHERE o.tenant_id = u.tenant_id AND o.id = u.organization_id) IS NULL';

/** Users, found through the directory of an organization: never by id alone. */
@Injectable()
export class UserRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** At the latest with the commit, which then throws EmailTaken or ExternalIdTaken. */
  insert(ctx: RequestContext, user: User): void {
    this.insertLater(ctx, User, [user], (error) => conflictOf(user, error));
    user.version = 1;
  }

  /** @throws EmailTaken, ExternalIdTaken */
  async save(ctx: RequestContext, user: User): Promise<void> {
    try {
      await this.rows(ctx, User).save(user);
    } catch (error) {
      throw conflictOf(user, error) ?? error;
    }
  }

  async remove(ctx: RequestContext, { tenantId, id }: User): Promise<void> {
    await this.rows(ctx, User).delete({ tenantId, id });
  }

  /** The user as the organization's directory shows it; deleted ones too. */
  find(ctx: RequestContext, place: Place, userId: string): Promise<User | null> {
    return this.shownAt(ctx, place, userId).getOne();
  }

  /** The same, held until the transaction ends. */
  lock(ctx: RequestContext, place: Place, userId: string): Promise<User | null> {
    return this.shownAt(ctx, place, userId).setLock('for_no_key_update', undefined, ['u']).getOne();
  }

  /** A user in its tenant, whatever organization is addressed: for what the person does. */
  findByKey(ctx: RequestContext, { tenantId, id }: Pick<User, 'tenantId' | 'id'>): Promise<User | null> {
    return this.rows(ctx, User).findOneBy({ tenantId, id });
  }

  /** The same, held until the transaction ends. */
  lockByKey(ctx: RequestContext, { tenantId, id }: Pick<User, 'tenantId' | 'id'>): Promise<User | null> {
    return this.rows(ctx, User).findOne({ where: { tenantId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** The user with this address who belongs to one of the organizations, in whatever way; not deleted ones. */
  async findByEmail(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    emailKey: string,
  ): Promise<User | null> {
    return this.rows(ctx, User)
      .createQueryBuilder('u')
      .where(`u.tenantId = :tenantId AND u.emailKey = :emailKey AND u.status <> 'deleted'`, { tenantId, emailKey })
      .andWhere(
        `EXISTS (SELECT FROM directory_entries e
           WHERE e.tenant_id = u.tenant_id AND e.organization_id = ANY(:organizationIds) AND e.user_id = u.id)`,
        { organizationIds },
      )
      .getOne();
  }

  /** The user of a tree with this address; not deleted ones. */
  findByEmailInTree(ctx: RequestContext, tenantId: string, emailKey: string): Promise<User | null> {
    return this.rows(ctx, User).findOneBy({ tenantId, emailKey, status: Not('deleted') });
  }

  /** The user of a tree with this address, held until the transaction ends; not deleted ones. */
  async lockByEmail(ctx: RequestContext, tenantId: string, emailKey: string): Promise<User | null> {
    return this.rows(ctx, User)
      .createQueryBuilder('u')
      .where(`u.tenantId = :tenantId AND u.emailKey = :emailKey AND u.status <> 'deleted'`, { tenantId, emailKey })
      .setLock('for_no_key_update')
      .getOne();
  }

  /** Notes a sign-in, which is no change of the user: neither `updatedAt` nor the version move. */
  async noteSignIn(ctx: RequestContext, { tenantId, id }: Pick<User, 'tenantId' | 'id'>, at: Date): Promise<void> {
    await this.query(ctx, 'UPDATE users SET last_login_at = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, id, at]);
  }

  /** A deleted user, held until the transaction ends. */
  lockDeleted(ctx: RequestContext, { tenantId, id }: Pick<User, 'tenantId' | 'id'>): Promise<User | null> {
    return this.rows(ctx, User).findOne({ where: { tenantId, id, status: 'deleted' }, lock: { mode: 'for_no_key_update' } });
  }

  /** Users deleted at or before a moment whose organization still stands. */
  findPurgeable(ctx: RequestContext, before: Date, limit: number): Promise<Pick<User, 'tenantId' | 'id' | 'organizationId'>[]> {
    return this.query(
      ctx,
      `SELECT u.tenant_id AS "tenantId", u.id, u.organization_id AS "organizationId" FROM users u
       JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE u.status = 'deleted' AND u.deleted_at <= $1 AND o.deleted_at IS NULL ORDER BY u.deleted_at LIMIT $2`,
      [before, limit],
    );
  }

  /** Users by id, in one query. */
  async byIds(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, User>> {
    const found = await this.rows(ctx, User).findBy({ id: In([...ids]) });
    return new Map(found.map((user) => [user.id, user]));
  }

  /** Links to identity providers. */
  identitiesOf(ctx: RequestContext, { tenantId, id }: User): Promise<{ provider: string; externalId: string }[]> {
    return this.query(
      ctx,
      'SELECT provider, external_id AS "externalId" FROM user_identities WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, provider',
      [tenantId, id],
    );
  }

  private shownAt(ctx: RequestContext, place: Place, userId: string) {
    return this.rows(ctx, User)
      .createQueryBuilder('u')
      .innerJoin(DirectoryEntry, 'e', 'e.user_tenant_id = u.tenant_id AND e.user_id = u.id')
      .where('e.tenant_id = :tenantId AND e.organization_id = :organizationId AND e.user_id = :userId', {
        tenantId: place.tenantId,
        organizationId: place.id,
        userId,
      })
      .andWhere(HOME_STANDS);
  }
}

function conflictOf(user: User, error: unknown): EmailTaken | ExternalIdTaken | undefined {
  if (isUniqueViolation(error, 'users_email_key')) return new EmailTaken(user.email);
  if (isUniqueViolation(error, 'users_external_id_key')) return new ExternalIdTaken(user.externalId ?? '');
  return undefined;
}
