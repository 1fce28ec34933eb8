import type { Caller, OrganizationScope } from '#platform/common';

type ScimDetails = NonNullable<Caller['scim']>;

/**
 * Returns the caller for the requests and the background jobs of a connection. It has all permissions in the organization, as the creator of
 * its tokens had, but only the operations of the protocol accept it.
 */
export const scimCallerOf = (
  id: string,
  organization: OrganizationScope,
  details: Omit<ScimDetails, 'organization'>,
): Caller => ({
  kind: 'scim',
  id,
  tenantId: organization.tenantId,
  tenantIds: [organization.tenantId],
  organizationIds: [organization.id],
  permissions: ['*'],
  scim: { organization, ...details },
});
