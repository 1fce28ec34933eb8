import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiParam } from '@nestjs/swagger';
import { REQUIRED_ACCESS, type RequiredAccess, type ServicePermission } from '#common';

export interface RequiresOptions {
  /** The path parameter that names the organization, by id or slug. Default `org`; `none` where the path has none. */
  readonly organization?: 'org' | 'id' | 'none';
}

/** Declares the one permission that a route needs, and in which organization. The access guard enforces it; OpenAPI shows it. */
export function Requires(
  permission: ServicePermission,
  { organization = 'org' }: RequiresOptions = {},
): MethodDecorator & ClassDecorator {
  const access: RequiredAccess = { permission, ...(organization === 'none' ? {} : { organizationParam: organization }) };
  const documented = [ApiBearerAuth('apiKey'), ApiExtension('x-required-permission', permission)];
  if (organization !== 'none') {
    documented.push(
      ApiParam({
        name: organization,
        description: 'The organization, by its id or its slug.',
        schema: { type: 'string', maxLength: 63, example: 'acme' },
      }),
    );
  }
  return applyDecorators(SetMetadata(REQUIRED_ACCESS, access), ...documented);
}
