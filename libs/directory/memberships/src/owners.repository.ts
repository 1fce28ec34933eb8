import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { OWNER_ROLE_ID } from '#directory/roles';
import { DataSource } from 'typeorm';

export class LastOwner extends DomainError {
  readonly code = 'last_owner';
  readonly kind = 'conflict';
  constructor(organization: string) {
    super(`The user is the last owner of the organization "${organization}". Make another user an owner first.`);
  }
}

/** Sees to it that an organization with an owner keeps one. A platform key may take the last one away. */
@Injectable()
export class OwnersRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Call before an owner loses the role, or the ability to use it. Without `organizationId`: in all organizations that the user owns.
   * Callers that would take different owners of one organization away wait for one another.
   * @throws LastOwner (409)
   */
  async assertOtherRemains(ctx: RequestContext, userId: string, organizationId?: string): Promise<void> {
    if (ctx.caller.kind === 'platform' || ctx.caller.kind === 'system') return;
    const owned = await this.query<{ id: string; name: string }>(
      ctx,
      `SELECT o.id, o.name FROM role_assignments r JOIN organizations o ON o.tenant_id = r.tenant_id AND o.id = r.organization_id
       WHERE r.user_id = $1 AND r.role_id = $2 AND r.user_status NOT IN ('deleted', 'suspended') AND o.deleted_at IS NULL
         AND ($3::text IS NULL OR o.id = $3) ORDER BY o.id`,
      [userId, OWNER_ROLE_ID, organizationId ?? null],
    );
    for (const { id, name } of owned) {
      await this.lockWords(ctx, 'owners', id);
      const others = await this.query(
        ctx,
        `SELECT FROM role_assignments WHERE organization_id = $1 AND role_id = $2 AND user_id <> $3 AND user_status NOT IN ('deleted', 'suspended') LIMIT 1`,
        [id, OWNER_ROLE_ID, userId],
      );
      if (others.length === 0) throw new LastOwner(name);
    }
  }
}
