import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '../api/client';
import type { SetupScope } from './setup-scope';

export const providersKey = (org: string) => ['identity-providers', org] as const;
export const webhooksKey = (org: string) => ['webhooks', org] as const;

/** Loads the identity providers that the link created. */
export const providersQuery = ({ client, org }: SetupScope) =>
  queryOptions({
    queryKey: providersKey(org),
    queryFn: async () => {
      const params = { path: { org }, query: { limit: 20 } };
      return (await unwrap(client.GET('/v1/organizations/{org}/identity-providers', { params }))).data;
    },
  });

/** Loads the webhooks that the link created. */
export const webhooksQuery = ({ client, org }: SetupScope) =>
  queryOptions({
    queryKey: webhooksKey(org),
    queryFn: async () => (await unwrap(client.GET('/v1/organizations/{org}/webhooks', { params: { path: { org } } }))).data,
  });
