import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, type Schema, unwrap } from '../../../api/client';

export type Domain = Schema<'DomainResponse'>;

/** The client and the organization of a list of domains, in the dashboard or on the page of a setup link. */
export interface DomainScope {
  readonly client: ApiClient;
  readonly org: string;
}

export const domainsKey = (org: string) => ['domains', org] as const;

export const domainsQuery = ({ client, org }: DomainScope, page = 1) =>
  queryOptions({
    queryKey: [...domainsKey(org), { page }],
    queryFn: () => unwrap(client.GET('/v1/organizations/{org}/domains', { params: { path: { org }, query: { page } } })),
  });
