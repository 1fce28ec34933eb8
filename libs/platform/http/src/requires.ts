import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiParam } from '@nestjs/swagger';
import {
  OWN_ACCOUNT,
  type OwnAccountAccess,
  REQUIRED_ACCESS,
  type RequiredAccess,
  type ServicePermission,
} from '#platform/common';

export interface RequiresOptions {
  /** The path parameter `org` names the organization, by id or slug; `none` where the path has none. */
  readonly organization?: 'org' | 'none';
}

/** Declares the one permission that a route needs, and in which organization. The access guard enforces it; OpenAPI shows it. */
export function Requires(
  permission: ServicePermission,
  { organization = 'org' }: RequiresOptions = {},
): MethodDecorator & ClassDecorator {
  const access: RequiredAccess = { permission, ...(organization === 'none' ? {} : { organizationParam: organization }) };
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
 * Declares a route for the signed-in user's own account: it needs a session, no permission, and names no organization. With `whileEnrolling`
 * it also serves sessions that may only add a second factor, with `operators` those of operators.
 */
export function OwnAccount({ whileEnrolling = false, operators = false }: Partial<OwnAccountAccess> = {}): MethodDecorator &
  ClassDecorator {
  const access: OwnAccountAccess = { whileEnrolling, operators };
  return applyDecorators(
    SetMetadata(OWN_ACCOUNT, access),
    ApiBearerAuth('sessionToken'),
    ApiCookieAuth('sessionCookie'),
    ApiExtension('x-own-account', whileEnrolling ? 'also while enrolling' : 'yes'),
  );
}
