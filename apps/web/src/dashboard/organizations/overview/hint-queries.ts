import { useQueries, useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../../api/client';
import { prefetchAll } from '../../../app/first-page';
import { queryClient } from '../../../app/query-client';
import { domainsQuery } from '../../connections/domains/domain-queries';
import { notificationsQuery } from '../../notifications/notification-queries';
import { ancestorsQuery, organizationQuery } from '../../organization';
import { covers, permissionsQuery } from '../../permissions';
import { isChecklistDismissed } from './dismissed-checklists';
import { applicationCountQuery, ownerCountQuery, userCountQuery, webhooksQuery } from './overview-queries';

type Organization = Schema<'OrganizationResponse'>;

/** Older organizations are no longer new. */
const NEW_FOR_MS = 30 * 86_400_000;

export const isNewOrganization = ({ status, createdAt }: Organization): boolean =>
  status === 'active' && Date.now() - Date.parse(createdAt) < NEW_FOR_MS;

/** The queries of what the hints show, as far as the caller has the permissions. */
function hintQueries(organization: Organization, permissions: readonly string[]) {
  const { id } = organization;
  const may = (permission: string) => ({ enabled: covers(permissions, permission) });
  const hasChecklist = isNewOrganization(organization) && !isChecklistDismissed(id);
  const forChecklist = (permission: string) => ({ enabled: hasChecklist && covers(permissions, permission) });
  return [
    { ...ancestorsQuery(id), enabled: true },
    { ...notificationsQuery(id), enabled: true },
    { ...userCountQuery(id, 'pending'), ...may('users:read') },
    { ...ownerCountQuery(id), ...may('members:read') },
    { ...domainsQuery({ client: api, org: id }), ...forChecklist('domains:write') },
    { ...webhooksQuery(id), ...forChecklist('webhooks:write') },
    { ...applicationCountQuery(id), ...forChecklist('oauth_clients:write') },
  ] as const;
}

/** Loads what the overview shows first. */
export async function loadOverview(org: string): Promise<void> {
  const [organization, permissions] = await Promise.all([
    queryClient.ensureQueryData(organizationQuery(org)),
    queryClient.ensureQueryData(permissionsQuery(org)),
  ]);
  await prefetchAll([
    ...hintQueries(organization, permissions),
    { ...userCountQuery(org, 'active'), enabled: covers(permissions, 'users:read') },
  ]);
}

/** Returns what the hints above the overview show, or undefined until all of it is loaded: shown later, a hint would move the page. */
export function useHints(organization: Organization) {
  const { data: permissions } = useQuery(permissionsQuery(organization.id));
  const results = useQueries({ queries: hintQueries(organization, permissions ?? []) });
  if (!permissions || results.some(({ isLoading }) => isLoading)) return undefined;
  const [ancestors, notifications, pending, owners, domains, webhooks, applications] = results;
  return {
    permissions,
    ancestors: ancestors.data ?? [],
    notifications: notifications.data ?? [],
    pendingCount: pending.data ?? 0,
    ownerCount: owners.data,
    domains: domains.data?.data,
    webhooks: webhooks.data,
    applicationCount: applications.data,
  };
}

export type LoadedHints = NonNullable<ReturnType<typeof useHints>>;
