import { type Caller, hasPermission, type OrganizationScope, ownPermissionsAt } from '#platform/common';
import type { OrganizationSettings } from '#directory/organizations';
import type { KnownClient } from '../clients/oauth-client.query.js';

/** The permission to decide about applications. Of the built-in roles, only owners have it. */
export const DECIDES = 'application_approvals:write';

/** Why a user can't use an application in an organization. */
export type ApplicationObstacle =
  /** The organization does not allow applications that describe or register themselves in this way. */
  | 'not_allowed'
  /** An owner must approve the application. */
  | 'approval_needed'
  /** Only owners can use the application. */
  | 'owners_only';

type Settings = Pick<OrganizationSettings, 'applicationApproval' | 'clientIdMetadataDomains' | 'dynamicClientRegistration'>;
type Client = Pick<KnownClient, 'organization' | 'consent' | 'registration' | 'metadataUri'>;

/**
 * Returns whether the rules of organizations concern a client. Clients of an organization are approved for its descendants, because its
 * administrators created them. So are clients of the platform for which the operator decided that nobody is asked.
 */
export const needsApproval = ({ organization, consent }: Pick<Client, 'organization' | 'consent'>): boolean =>
  organization === null && consent === 'required';

/** Returns why a user can't use an application in an organization with these settings, or undefined. */
export function findObstacle(
  client: Client,
  settings: Settings,
  { isApproved, isDecider }: { readonly isApproved: boolean; readonly isDecider: boolean },
): ApplicationObstacle | undefined {
  if (!needsApproval(client)) return undefined;
  if (!isAllowed(client, settings)) return 'not_allowed';
  if (settings.applicationApproval === 'anyone') return undefined;
  if (settings.applicationApproval === 'owners') return isDecider ? undefined : 'owners_only';
  return isApproved ? undefined : 'approval_needed';
}

function isAllowed({ registration, metadataUri }: Client, settings: Settings): boolean {
  if (registration === 'dynamic') return settings.dynamicClientRegistration;
  return registration === null || settings.clientIdMetadataDomains.includes(domainOf(metadataUri ?? ''));
}

/** Returns the host of an address in the form of the setting. */
export const domainOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

/** Returns whether a user can decide about applications in an organization. Break-glass access does not count, because decisions stay. */
export const isDecider = (grants: Caller['grants'], organization: Pick<OrganizationScope, 'id' | 'ancestorIds'>): boolean =>
  hasPermission(ownPermissionsAt({ kind: 'user', permissions: [], grants: grants ?? [] }, organization), DECIDES);
