import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { ServicePermission } from '#platform/common';

export const FORWARDED_SIGN_IN = 'forwarded-sign-in';

/** The permission of credentials that can send the address of an end user. */
export const FORWARDING_PERMISSION: ServicePermission = 'sign_ins:forward';

export const CLIENT_ADDRESS_HEADER = 'Client-Address';
export const CLIENT_USER_AGENT_HEADER = 'Client-User-Agent';

/**
 * The field of the request that says which organization a sign-in is for: the `organization` itself, the `token` of an emailed link, the
 * `challengeToken` of an MFA challenge or the `callbackUrl` of an identity provider. With `none`, the request is for no organization, and only
 * a platform key can send the address.
 */
export type SignInField = 'organization' | 'token' | 'challengeToken' | 'callbackUrl' | 'none';

/**
 * Marks a public operation with which servers of customers sign in their users, so that all requests come from the address of the server. A
 * server can send the address and the user agent of the end user together with its API key. `ClientAddressGuard` checks the credential.
 */
export const ForwardsClientAddress = (field: SignInField): MethodDecorator =>
  applyDecorators(
    SetMetadata(FORWARDED_SIGN_IN, field),
    // The empty requirement makes the API key optional.
    ApiSecurity({}),
    ApiBearerAuth('apiKey'),
    ApiHeader({
      name: CLIENT_ADDRESS_HEADER,
      required: false,
      description: descriptionOf(field),
      schema: { type: 'string', maxLength: 45, example: '203.0.113.7' },
    }),
    ApiHeader({
      name: CLIENT_USER_AGENT_HEADER,
      required: false,
      description: `User agent of the end user, which events and the list of sessions show. Only together with \`${CLIENT_ADDRESS_HEADER}\`.`,
      schema: { type: 'string', example: 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0' },
    }),
  );

/** The description of the 404 of operations with the field `organization`, for `ApiProblems`. */
export const FORWARDED_ELSEWHERE = `The credential of \`${CLIENT_ADDRESS_HEADER}\` has no access to the organization, or it does not exist (\`organization_not_found\`). Without this header, the response does not reveal whether the organization exists.`;

function descriptionOf(field: SignInField): string {
  const credential = field === 'none' ? 'a platform key' : 'an API key, a platform key or a machine client (OAuth)';
  const reach = field === 'none' ? '' : ' and access to the organization of the sign-in';
  return `IP address of the end user, if your server sends this request for the end user: one IPv4 or IPv6 address without port. Limits, events and sessions then use this address instead of the address of your server. Needs, in \`Authorization\`, ${credential} with the permission \`${FORWARDING_PERMISSION}\`${reach}. Without this header, the operation needs no credential.`;
}
