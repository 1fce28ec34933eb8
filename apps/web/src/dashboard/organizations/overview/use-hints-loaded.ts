import { useQueries, useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../../api/client';
import { domainsQuery } from '../../connections/domains/domain-queries';
import { notificationsQuery } from '../../notifications/notification-queries';
import { ancestorsQuery } from '../../organization';
import { covers, permissionsQuery } from '../../permissions';
import { needsChecklist } from './checklist';
import { applicationCountQuery, ownerCountQuery, userCountQuery, webhooksQuery } from './overview-queries';

/** Loads what the hints above the overview show, and returns whether it is there: shown later, they would move the page. */
export function useHintsLoaded(organization: Schema<'OrganizationResponse'> | undefined): boolean {
  const org = organization?.id ?? '';
  const isKnown = organization !== undefined;
  const { data: permissions, isLoading } = useQuery({ ...permissionsQuery(org), enabled: isKnown });
  const when = (permission: string, isNeeded = true) => ({
    enabled: isNeeded && permissions !== undefined && covers(permissions, permission),
  });
  const withChecklist = isKnown && needsChecklist(organization);
  const queries = [
    { ...ancestorsQuery(org), enabled: isKnown },
    { ...notificationsQuery(org), enabled: isKnown },
    { ...userCountQuery(org, 'pending'), ...when('users:read') },
    { ...ownerCountQuery(org), ...when('members:read') },
    { ...domainsQuery({ client: api, org }), ...when('domains:write', withChecklist) },
    { ...webhooksQuery(org), ...when('webhooks:write', withChecklist) },
    { ...applicationCountQuery(org), ...when('oauth_clients:write', withChecklist) },
  ];
  const isLoaded = useQueries({ queries, combine: (results) => results.every(({ isLoading }) => !isLoading) });
  return isKnown && !isLoading && isLoaded;
}
