import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';

/** The maximum number of webhooks of an organization. */
const WEBHOOKS_MAX = 100;

export const userCountQuery = (org: string, status: 'active' | 'pending') =>
  queryOptions({
    queryKey: ['users', org, 'count', status],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query: { status, limit: 1 } } })))
        .pagination.total,
  });

export const webhooksQuery = (org: string) =>
  queryOptions({
    queryKey: ['webhooks', org, 'all'],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/webhooks', { params: { path: { org }, query: { limit: WEBHOOKS_MAX } } })))
        .data,
  });

/** Loads the number of active and invited owners. */
export const ownerCountQuery = (org: string) =>
  queryOptions({
    queryKey: ['members', org, 'count', 'owner'],
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/v1/organizations/{org}/members', { params: { path: { org }, query: { role: 'role_owner', limit: 1 } } }),
        )
      ).pagination.total,
  });

/** The maximum number of API keys that the overview looks at. */
const KEYS_MAX = 100;

/** An API key is about to expire from this time before its expiry. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

/** Loads the API keys that expire soon, unless a new key replaces them, and the flagged ones. */
export const attentionKeysQuery = (org: string) =>
  queryOptions({
    queryKey: ['api-keys', org, 'attention'],
    queryFn: async () => {
      const params = { path: { org }, query: { limit: KEYS_MAX } };
      const { data } = await unwrap(api.GET('/v1/organizations/{org}/api-keys', { params }));
      const replaced = new Set(data.map(({ rotatedFromId }) => rotatedFromId));
      const isExpiring = ({ id, expiresAt }: (typeof data)[number]) => {
        const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
        return leftMs > 0 && leftMs < EXPIRES_SOON_MS && !replaced.has(id);
      };
      return { expiring: data.filter(isExpiring), flagged: data.filter(({ flag }) => flag !== null) };
    },
  });

/** Loads the number of applications that wait for the approval of an owner. */
export const pendingApprovalsQuery = (org: string) =>
  queryOptions({
    queryKey: ['application-approvals', org, 'count', 'pending'],
    queryFn: async () => {
      const params = { path: { org }, query: { status: 'pending' as const, limit: 1 } };
      return (await unwrap(api.GET('/v1/organizations/{org}/application-approvals', { params }))).pagination.total;
    },
  });
