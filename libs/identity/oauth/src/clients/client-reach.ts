import { covers, type OrganizationScope } from '#platform/common';
import type { KnownClient } from './oauth-client.query.js';

/** Returns whether a client can sign users in for an organization. A client of the platform can for all. */
export function clientReaches(
  { organization: home, visibility }: Pick<KnownClient, 'organization' | 'visibility'>,
  organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>,
): boolean {
  if (!home) return true;
  return visibility === 'descendants' ? covers(home.id, organization) : home.id === organization.id;
}
