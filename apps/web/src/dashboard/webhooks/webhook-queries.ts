import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../api/client';
import type { Paging } from '../../ui/paging';
import { startOf, type DeliveriesSearch, type Range } from './search';

export type Webhook = Schema<'WebhookResponse'>;
export type Delivery = Schema<'DeliveryResponse'>;
export type DeliveryDetails = Schema<'DeliveryDetailsResponse'>;

/**
 * Returns the body of a request as it was sent, or null if it is not shown. Of a token, only the claims are shown, without the signature.
 */
export const sentBody = ({ format, body }: NonNullable<Attempt['request']>, payload: DeliveryDetails['payload']): string | null =>
  format === 'service' ? payload.body : format === 'set' ? null : body;
export type Attempt = Schema<'AttemptResponse'>;
export type Statistics = Schema<'WebhookStatisticsResponse'>;
export type Reconciliation = Schema<'ReconciliationResponse'>;

/** The ids of a webhook and its organization. */
export interface WebhookKey {
  readonly org: string;
  readonly id: string;
}

const LIVE_REFRESH_MS = 3_000;
const SLOW_REFRESH_MS = 10_000;

/** Returns the ids of the webhook in the URL. */
export function useWebhookKey(): WebhookKey {
  const { org = '', webhookId = '' } = useParams({ strict: false });
  return { org, id: webhookId };
}

/** Prefix of the query keys of a webhook. */
export const webhookQueryKey = ({ org, id }: WebhookKey) => ['webhooks', org, 'of', id] as const;
/** Prefix of the query keys of the webhooks of an organization. */
export const webhooksQueryKey = (org: string) => ['webhooks', org] as const;

export const webhooksQuery = (org: string, paging: Paging) =>
  queryOptions({
    queryKey: [...webhooksQueryKey(org), 'list', paging],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/webhooks', { params: { path: { org }, query: paging } })),
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_REFRESH_MS,
  });

export const webhookQuery = (key: WebhookKey) =>
  queryOptions({
    queryKey: [...webhookQueryKey(key), 'webhook'],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations/{org}/webhooks/{id}', { params: { path: key } }))).data,
    refetchInterval: SLOW_REFRESH_MS,
  });

export const statisticsQuery = (key: WebhookKey, range: Range) =>
  queryOptions({
    queryKey: [...webhookQueryKey(key), 'statistics', range],
    queryFn: async () => {
      const query = { since: startOf(range), interval: range === '30d' ? ('day' as const) : ('hour' as const) };
      const path = '/v1/organizations/{org}/webhooks/{id}/statistics';
      return (await unwrap(api.GET(path, { params: { path: key, query } }))).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_REFRESH_MS,
  });

export const deliveriesQuery = (key: WebhookKey, { paused, page = 1, eventType, ...filters }: DeliveriesSearch) =>
  queryOptions({
    queryKey: [...webhookQueryKey(key), 'deliveries', { page, eventType, ...filters }],
    queryFn: () => {
      const query = { page, ...filters, ...(eventType ? { eventType: eventType as Delivery['eventType'] } : {}) };
      return unwrap(api.GET('/v1/organizations/{org}/webhooks/{id}/deliveries', { params: { path: key, query } }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: paused || page > 1 ? false : LIVE_REFRESH_MS,
  });

export const deliveryQuery = (key: WebhookKey, deliveryId: string) =>
  queryOptions({
    queryKey: [...webhookQueryKey(key), 'delivery', deliveryId],
    queryFn: async () => {
      const path = '/v1/organizations/{org}/webhooks/{id}/deliveries/{deliveryId}';
      return (await unwrap(api.GET(path, { params: { path: { ...key, deliveryId } } }))).data;
    },
    refetchInterval: ({ state }) => (state.data && hasFurtherAttempts(state.data.status) ? LIVE_REFRESH_MS : false),
  });

export async function reconcile(key: WebhookKey, query: { since?: string; until?: string; limit?: number; after?: string }) {
  const path = '/v1/organizations/{org}/webhooks/{id}/reconciliation';
  return (await unwrap(api.GET(path, { params: { path: key, query } }))).data;
}

/** Loads the numbers of pending and skipped deliveries in the whole retention period. */
export const backlogQuery = (key: WebhookKey) =>
  queryOptions({
    queryKey: [...webhookQueryKey(key), 'backlog'],
    queryFn: () => reconcile(key, { limit: 1 }),
    refetchInterval: SLOW_REFRESH_MS,
  });

export async function updateWebhook(key: WebhookKey, body: Schema<'UpdateWebhookRequest'>): Promise<Webhook> {
  return (await unwrap(api.PATCH('/v1/organizations/{org}/webhooks/{id}', { params: { path: key }, body }))).data;
}

/** Returns whether the delivery can have further attempts. */
export const hasFurtherAttempts = (status: Delivery['status']): boolean => status === 'pending' || status === 'delivering';

/** Loads the name of the signature header, which starts with the name of the service. */
export const signatureHeaderQuery = (org: string) =>
  queryOptions({
    queryKey: ['signature-header', org],
    queryFn: async () => {
      const { data } = await unwrap(api.GET('/v1/auth/sign-in-options', { params: { query: { organization: org } } }));
      return `${data.serviceName.toLowerCase()}-signature`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
