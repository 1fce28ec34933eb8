import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource, In } from 'typeorm';
import { Membership } from './membership.entity.js';

/** A user's membership as shown in the user. */
export interface ShownMembership {
  readonly id: string;
  readonly name: string;
  readonly roleId: string;
}

/** Reads memberships across organizations. */
@Injectable()
export class MembershipReads extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The memberships of several users in one organization, by user id. */
  async ofUsers(
    ctx: RequestContext,
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
    userIds: readonly string[],
  ): Promise<Map<string, Membership>> {
    const found = await this.rows(ctx, Membership).findBy({
      tenantId: place.tenantId,
      organizationId: place.id,
      userId: In([...userIds]),
    });
    return new Map(found.map((membership) => [membership.userId, membership]));
  }

  /** The organizations that a user belongs to, those that the caller may see, oldest membership first. */
  async organizationsOf(ctx: RequestContext, userId: string): Promise<ShownMembership[]> {
    const { kind, organizationIds = [] } = ctx.caller;
    const everything = kind === 'platform' || kind === 'system';
    return this.query(
      ctx,
      `SELECT o.id, o.name, m.role_id AS "roleId" FROM memberships m
       JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
       WHERE m.user_id = $1 AND o.deleted_at IS NULL ${everything ? '' : 'AND (o.id = ANY($2) OR o.ancestor_ids && $2)'}
       ORDER BY m.joined_at, o.id`,
      everything ? [userId] : [userId, organizationIds],
    );
  }
}
