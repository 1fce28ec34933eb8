import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { answerOf, api, type Schema } from '../../api/client';
import { beginOf, type DeliveriesSearch, type Range } from './search';

export type Webhook = Schema<'WebhookResponse'>;
export type Delivery = Schema<'DeliveryResponse'>;
export type DeliveryDetails = Schema<'DeliveryDetailsResponse'>;
export type Attempt = Schema<'AttemptResponse'>;
export type Statistics = Schema<'WebhookStatisticsResponse'>;
export type Reconciliation = Schema<'ReconciliationResponse'>;

/** Which webhook of which organization a page is about. */
export interface WebhookKey {
  readonly org: string;
  readonly id: string;
}

const LIVE_MS = 3_000;
const SLOWLY_MS = 10_000;

/** The webhook whose page is shown. */
export function useWebhookKey(): WebhookKey {
  const { org = '', webhookId = '' } = useParams({ strict: false });
  return { org, id: webhookId };
}

/** The beginning of the keys of all reads about one webhook. */
export const aboutWebhook = ({ org, id }: WebhookKey) => ['webhooks', org, 'of', id] as const;
/** The beginning of the keys of all reads about an organization's webhooks. */
export const aboutWebhooks = (org: string) => ['webhooks', org] as const;

export const webhooksQuery = (org: string, page: number) =>
  queryOptions({
    queryKey: [...aboutWebhooks(org), 'list', page],
    queryFn: () => answerOf(api.GET('/v1/organizations/{org}/webhooks', { params: { path: { org }, query: { page } } })),
    placeholderData: keepPreviousData,
    refetchInterval: SLOWLY_MS,
  });

export const webhookQuery = (key: WebhookKey) =>
  queryOptions({
    queryKey: [...aboutWebhook(key), 'webhook'],
    queryFn: async () => (await answerOf(api.GET('/v1/organizations/{org}/webhooks/{id}', { params: { path: key } }))).data,
    refetchInterval: SLOWLY_MS,
  });

export const statisticsQuery = (key: WebhookKey, range: Range) =>
  queryOptions({
    queryKey: [...aboutWebhook(key), 'statistics', range],
    queryFn: async () => {
      const query = { since: beginOf(range), interval: range === '30d' ? ('day' as const) : ('hour' as const) };
      const path = '/v1/organizations/{org}/webhooks/{id}/statistics';
      return (await answerOf(api.GET(path, { params: { path: key, query } }))).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: SLOWLY_MS,
  });

export const deliveriesQuery = (key: WebhookKey, { paused, page = 1, eventType, ...filters }: DeliveriesSearch) =>
  queryOptions({
    queryKey: [...aboutWebhook(key), 'deliveries', { page, eventType, ...filters }],
    queryFn: () => {
      const query = { page, ...filters, ...(eventType ? { eventType: eventType as Delivery['eventType'] } : {}) };
      return answerOf(api.GET('/v1/organizations/{org}/webhooks/{id}/deliveries', { params: { path: key, query } }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: paused || page > 1 ? false : LIVE_MS,
  });

export const deliveryQuery = (key: WebhookKey, deliveryId: string) =>
  queryOptions({
    queryKey: [...aboutWebhook(key), 'delivery', deliveryId],
    queryFn: async () => {
      const path = '/v1/organizations/{org}/webhooks/{id}/deliveries/{deliveryId}';
      return (await answerOf(api.GET(path, { params: { path: { ...key, deliveryId } } }))).data;
    },
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.status) ? LIVE_MS : false),
  });

/** Reads what became of all events of a time. */
export async function reconcile(key: WebhookKey, query: { since?: string; until?: string; limit?: number; after?: string }) {
  const path = '/v1/organizations/{org}/webhooks/{id}/reconciliation';
  return (await answerOf(api.GET(path, { params: { path: key, query } }))).data;
}

/** Of all that is kept: what waits, and what was skipped. */
export const backlogQuery = (key: WebhookKey) =>
  queryOptions({
    queryKey: [...aboutWebhook(key), 'backlog'],
    queryFn: () => reconcile(key, { limit: 1 }),
    refetchInterval: SLOWLY_MS,
  });

/** Changes what is given of a webhook. */
export async function updateWebhook(key: WebhookKey, body: Schema<'UpdateWebhookRequest'>): Promise<Webhook> {
  return (await answerOf(api.PATCH('/v1/organizations/{org}/webhooks/{id}', { params: { path: key }, body }))).data;
}

/** Whether more attempts may come. */
export const isOpen = (status: Delivery['status']): boolean => status === 'pending' || status === 'delivering';

/** The name of the header that carries the service's own signature: it begins with what the service calls itself. */
export const signatureHeaderQuery = (org: string) =>
  queryOptions({
    queryKey: ['signature-header', org],
    queryFn: async () => {
      const { data } = await answerOf(api.GET('/v1/auth/sign-in-options', { params: { query: { organization: org } } }));
      return `${data.serviceName.toLowerCase()}-signature`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
