import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client';

/** At most so many webhooks does an organization have. */
const WEBHOOKS_MAX = 100;

/** How many users of an organization have a status. */
export const userCountQuery = (org: string, status: 'active' | 'pending') =>
  queryOptions({
    queryKey: ['users', org, 'count', status],
    queryFn: async () =>
      (await answerOf(api.GET('/v1/organizations/{org}/users', { params: { path: { org }, query: { status, limit: 1 } } })))
        .pagination.total,
  });

/** All webhooks of an organization. */
export const webhooksQuery = (org: string) =>
  queryOptions({
    queryKey: ['webhooks', org, 'all'],
    queryFn: async () =>
      (await answerOf(api.GET('/v1/organizations/{org}/webhooks', { params: { path: { org }, query: { limit: WEBHOOKS_MAX } } })))
        .data,
  });

/** How many owners an organization has that can sign in or were invited. */
export const ownerCountQuery = (org: string) =>
  queryOptions({
    queryKey: ['members', org, 'count', 'owner'],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/organizations/{org}/members', { params: { path: { org }, query: { role: 'role_owner', limit: 1 } } }),
        )
      ).pagination.total,
  });
