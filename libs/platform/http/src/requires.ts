import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiParam } from '@nestjs/swagger';
import {
  CONNECTION_PARAM,
  OWN_ACCOUNT,
  type OwnAccountAccess,
  REQUIRED_ACCESS,
  type RequiredAccess,
  type ServicePermission,
} from '#platform/common';

export interface RequiresOptions {
  /**
   * `org`: the path parameter `org` contains the ID or slug of the organization. `none`: the path has no organization. `connection`: the path
   * parameter `connection` contains the ID of the SCIM connection, which is the only caller.
   */
  readonly organization?: 'org' | 'none' | 'connection';
}

/**
 * Declares the permission that a route requires and the organization in which the caller needs the permission. The access guard checks the
 * permission. OpenAPI shows the permission.
 */
export function Requires(
  permission: ServicePermission,
  { organization = 'org' }: RequiresOptions = {},
): MethodDecorator & ClassDecorator {
  const access: RequiredAccess = { permission, ...(organization === 'none' ? {} : { organizationParam: organization }) };
  if (organization === CONNECTION_PARAM) return applyDecorators(SetMetadata(REQUIRED_ACCESS, access), ApiBearerAuth('scimToken'));
  const documented = [
    ApiBearerAuth('apiKey'),
    ApiBearerAuth('sessionToken'),
    ApiCookieAuth('sessionCookie'),
    ApiExtension('x-required-permission', permission),
  ];
  if (organization !== 'none') {
    documented.push(
      ApiParam({
        name: organization,
        description: 'Id or slug of the organization.',
        schema: { type: 'string', maxLength: 63, example: 'acme' },
      }),
    );
  }
  return applyDecorators(SetMetadata(REQUIRED_ACCESS, access), ...documented);
}

/**
 * Declares a route for the account of the signed-in user. The route requires a session but no permission, and has no organization. With
 * `whileEnrolling`, the route accepts sessions that can only add a second factor. With `operators`, the route accepts operator sessions. With
 * `whileImpersonating`, a route that changes something accepts sessions of impersonators.
 */
export function OwnAccount({
  whileEnrolling = false,
  operators = false,
  whileImpersonating = false,
}: Partial<OwnAccountAccess> = {}): MethodDecorator & ClassDecorator {
  const access: OwnAccountAccess = { whileEnrolling, operators, whileImpersonating };
  return applyDecorators(
    SetMetadata(OWN_ACCOUNT, access),
    ApiBearerAuth('sessionToken'),
    ApiCookieAuth('sessionCookie'),
    ApiExtension('x-own-account', whileEnrolling ? 'also while enrolling' : 'yes'),
  );
}
