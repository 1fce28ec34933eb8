import { Injectable } from '@nestjs/common';
import { SessionAcceptanceService } from '#identity/auth';
import {
  hasPermission,
  permissionsAt,
  reaches,
  type RequestContext,
  ResourceNotFound,
  SERVICE_PERMISSIONS,
  sessionOf,
} from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { OwnPermissionsResponse } from './own-permissions.requests.js';

/** Returns the permissions of the signed-in user by the rules of the access guard. */
@Injectable()
export class OwnPermissionsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly sessionAcceptance: SessionAcceptanceService,
  ) {}

  /** @throws ResourceNotFound (404) if the user has no role in the organization, and the errors of `SessionAcceptanceService` */
  async get(ctx: RequestContext, handle: string): Promise<OwnPermissionsResponse> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    if (!organization || !reaches(ctx.caller, organization)) throw new ResourceNotFound('organization', handle);
    await this.sessionAcceptance.assertAccepted(ctx, sessionOf(ctx), organization);
    const permissions = [...permissionsAt(ctx.caller, organization)];
    const servicePermissions = SERVICE_PERMISSIONS.filter((permission) => hasPermission(permissions, permission));
    return { organizationId: organization.id, permissions, servicePermissions };
  }
}
