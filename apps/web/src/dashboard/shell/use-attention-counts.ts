import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { requestsQuery } from '../connections/break-glass/break-glass-queries';
import { domainsQuery } from '../connections/domains/domain-queries';
import { scimConnectionsQuery } from '../connections/scim/scim-queries';
import { attentionKeysQuery, pendingApprovalsQuery, webhooksQuery } from '../organizations/overview/overview-queries';
import { covers, permissionsQuery } from '../permissions';
import { isFailing } from '../webhooks/list/webhook-status';

/** The number of things that fail, expire or wait for a decision, by the path of their page. */
export type AttentionCounts = Readonly<Record<string, number>>;

/** The counts change rarely, and the pages that solve the problems load their data again. */
const STALE_MS = 60_000;

/** Loads the counts of an organization when the page has loaded what it shows. */
export function useAttentionCounts(org: string): AttentionCounts {
  const { data: permissions = [] } = useQuery(permissionsQuery(org));
  const isIdle = useIsIdle();
  const options = (...needed: string[]) => ({
    enabled: isIdle && needed.every((permission) => covers(permissions, permission)),
    staleTime: STALE_MS,
  });
  const scope = { client: api, org };
  const webhooks = useQuery({ ...webhooksQuery(org), ...options('webhooks:read') });
  const keys = useQuery({ ...attentionKeysQuery(org), ...options('api_keys:read') });
  const directories = useQuery({ ...scimConnectionsQuery(scope), ...options('scim:read') });
  const domains = useQuery({ ...domainsQuery(scope), ...options('domains:read') });
  const approvals = useQuery({ ...pendingApprovalsQuery(org), ...options('application_approvals:read') });
  const breakGlass = useQuery({
    ...requestsQuery(org, { status: 'pending' }),
    ...options('break_glass:request', 'break_glass:approve'),
  });
  return {
    '/webhooks': webhooks.data?.filter((webhook) => isFailing(webhook) || (webhook.enabled && webhook.flag !== null)).length ?? 0,
    '/api-keys': new Set([...(keys.data?.expiring ?? []), ...(keys.data?.flagged ?? [])].map(({ id }) => id)).size,
    '/scim': directories.data?.data.filter(({ mode }) => mode === 'stopped').length ?? 0,
    '/domains': domains.data?.data.filter(({ status }) => status === 'failed').length ?? 0,
    '/applications': approvals.data ?? 0,
    '/break-glass': breakGlass.data?.pagination.total ?? 0,
  };
}

/** Returns false until the browser has nothing more urgent to do. */
function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) return setIdle(true);
    const handle = requestIdleCallback(() => setIdle(true));
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
