import { Injectable } from '@nestjs/common';
import { MfaRequired } from '#identity/auth';
import {
  hasPermission,
  hasSecondFactor,
  permissionsAt,
  reaches,
  type RequestContext,
  ResourceNotFound,
  SERVICE_PERMISSIONS,
  sessionOf,
} from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import type { OwnPermissionsResponse } from './own-permissions.requests.js';

/** Returns the permissions of the signed-in user by the rules of the access guard. */
@Injectable()
export class OwnPermissionsService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  /** @throws ResourceNotFound (404) if the user has no role in the organization, MfaRequired (403) */
  async get(ctx: RequestContext, handle: string): Promise<OwnPermissionsResponse> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    if (!organization || !reaches(ctx.caller, organization)) throw new ResourceNotFound('organization', handle);
    const session = sessionOf(ctx);
    const { requireMfa, mfaMethods } = (await this.effectiveSettings.get(ctx, organization)).values;
    const isSessionOrganization = session.organizationId === organization.id;
    if (!isSessionOrganization && requireMfa && !hasSecondFactor(session.authenticationMethods, mfaMethods))
      throw new MfaRequired();
    const permissions = [...permissionsAt(ctx.caller, organization)];
    const servicePermissions = SERVICE_PERMISSIONS.filter((permission) => hasPermission(permissions, permission));
    return { organizationId: organization.id, permissions, servicePermissions };
  }
}
