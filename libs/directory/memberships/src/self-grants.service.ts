import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import type { VisibleRole } from '#directory/roles';
import { ThreatDetectionService } from '#platform/threats';
import type { DirectoryUser } from './directory-user.js';

/** Reports users who assign a role to themselves, also with an OAuth client. The assignment is permitted, but suspicious. */
@Injectable()
export class SelfGrantsService {
  constructor(private readonly threats: ThreatDetectionService) {}

  /** Reports the assignment of a role if the caller is the user. Must run in the transaction of the assignment. */
  async reportIfOwn(
    ctx: RequestContext,
    organization: OrganizationScope,
    { id }: Pick<DirectoryUser, 'id'>,
    role: VisibleRole,
  ): Promise<void> {
    if (ctx.caller.id !== id) return;
    await this.threats.report(ctx, organization, {
      rule: 'role_granted_to_self',
      riskLevel: 'medium',
      subjectId: id,
      signals: { userId: id, roleId: role.id, roleName: role.name },
      action: 'none',
    });
  }
}
