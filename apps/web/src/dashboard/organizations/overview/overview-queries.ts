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

/** Loads the number of applications of the organization. */
export const applicationCountQuery = (org: string) =>
  queryOptions({
    queryKey: ['oauth-clients', org, 'count'],
    queryFn: async () =>
      (await unwrap(api.GET('/v1/organizations/{org}/oauth-clients', { params: { path: { org }, query: { limit: 1 } } })))
        .pagination.total,
  });
