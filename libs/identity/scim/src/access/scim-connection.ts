import { organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';

/** The connection that sends a request. */
export interface Connection {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly organization: OrganizationScope;
  readonly adoptExistingUsers: boolean;
  /** Whether recorded changes replace the users and groups, also while they are applied. */
  readonly isPreview: boolean;
}

/** Returns the connection that sends the request. @throws Error if the route lacks `@Requires(…, { organization: 'connection' })` */
export function connectionOf(ctx: RequestContext): Connection {
  const { id, scim } = ctx.caller;
  if (id === undefined || !scim) throw new Error('This operation needs a SCIM connection.');
  const organization = organizationOf(ctx);
  return {
    id,
    tenantId: organization.tenantId,
    name: scim.name,
    organization,
    adoptExistingUsers: scim.adoptExistingUsers,
    isPreview: scim.mode === 'preview' || scim.mode === 'applying',
  };
}

/** Returns the base URL of the SCIM API of a connection. */
export const baseUrlOf = ({ baseUrl }: { readonly baseUrl: string }, { id }: Pick<Connection, 'id'>): string =>
  `${baseUrl}/scim/v2/${id}`;
