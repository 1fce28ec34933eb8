import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Paging } from '../../ui/paging';
import { api, type Schema, unwrap, unwrapWithEtag } from '../../api/client';

export type Application = Schema<'OauthClientResponse'>;
export type Api = Schema<'OauthResourceResponse'>;
export type Approval = Schema<'ApplicationApprovalResponse'>;
export type Grant = Schema<'OauthGrantResponse'>;
export type LogoutDelivery = Schema<'LogoutDeliveryResponse'>;

export const APPLICATION_TYPES = ['web', 'single_page', 'native', 'machine'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** The most entries of a list that a form offers. */
const CHOICES_MAX = 100;

/** Prefixes of the query keys. */
export const applicationsKey = (org: string) => ['oauth-clients', org] as const;
export const secretsKey = (org: string, id: string) => [...applicationsKey(org), id, 'secrets'] as const;
export const logoutDeliveriesKey = (org: string, id: string) => [...applicationsKey(org), id, 'logout-deliveries'] as const;
export const apisKey = (org: string) => ['oauth-resources', org] as const;
export const approvalsKey = (org: string) => ['application-approvals', org] as const;
export const grantsKey = (org: string) => ['oauth-grants', org] as const;

export const applicationsQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...applicationsKey(org), paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/oauth-clients', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
  });

export const applicationQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...applicationsKey(org), id],
    queryFn: async () => {
      const { body, etag } = await unwrapWithEtag(
        api.GET('/v1/organizations/{org}/oauth-clients/{id}', { params: { path: { org, id } } }),
      );
      return { application: body.data, etag };
    },
    refetchOnWindowFocus: false,
  });

export const secretsQuery = (org: string, client: string) =>
  queryOptions({
    queryKey: secretsKey(org, client),
    queryFn: () =>
      unwrap(
        api.GET('/v1/organizations/{org}/oauth-clients/{client}/secrets', {
          params: { path: { org, client }, query: { limit: CHOICES_MAX } },
        }),
      ),
  });

export const logoutDeliveriesQuery = (org: string, id: string, paging: Paging) =>
  queryOptions({
    queryKey: [...logoutDeliveriesKey(org, id), paging],
    queryFn: () =>
      unwrap(
        api.GET('/v1/organizations/{org}/oauth-clients/{id}/logout-deliveries', {
          params: { path: { org, id }, query: paging },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const apisQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...apisKey(org), paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/oauth-resources', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
  });

/** Loads the APIs that a form offers. */
export const apiChoicesQuery = (org: string) => apisQuery(org, { limit: CHOICES_MAX });

export const apiQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...apisKey(org), id],
    queryFn: async () => {
      const { body, etag } = await unwrapWithEtag(
        api.GET('/v1/organizations/{org}/oauth-resources/{id}', { params: { path: { org, id } } }),
      );
      return { resource: body.data, etag };
    },
    refetchOnWindowFocus: false,
  });

export const approvalsQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...approvalsKey(org), paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/application-approvals', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
  });

export const grantsQuery = (org: string, paging: Paging, clientId?: string) =>
  queryOptions({
    queryKey: [...grantsKey(org), { ...paging, clientId }],
    queryFn: () =>
      unwrap(api.GET('/v1/organizations/{org}/oauth-grants', { params: { path: { org }, query: { ...paging, clientId } } })),
    placeholderData: keepPreviousData,
  });
