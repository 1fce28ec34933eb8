import { pagingIn, type Paging } from '../../ui/paging';

/** The query of a page. Invalid values are ignored. */
type Search = Record<string, unknown>;

export const RANGES = ['24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveriesSearch extends Paging {
  status?: DeliveryStatus;
  eventType?: string;
  since?: string;
  until?: string;
  paused?: true;
}

export interface ReconciliationSearch {
  range?: Range;
  since?: string;
  until?: string;
}

export interface SigningSearch {
  /** The delivery and attempt whose signature is verified. */
  deliveryId?: string;
  attempt?: number;
}

const HOUR_MS = 3_600_000;
const RANGE_MS: Record<Range, number> = { '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS, '30d': 30 * 24 * HOUR_MS };

/** Returns the start of a range that ends now. */
export const startOf = (range: Range, now = Date.now()): string => new Date(now - RANGE_MS[range]).toISOString();

export const overviewSearch = ({ range }: Search): { range?: Range } => given('range', oneOf(RANGES, range));

export const deliveriesSearch = (search: Search): DeliveriesSearch => ({
  ...pagingIn(search),
  ...given('status', oneOf(DELIVERY_STATUSES, search['status'])),
  ...given('eventType', typeof search['eventType'] === 'string' ? search['eventType'] : undefined),
  ...times(search),
  ...(search['paused'] === true ? { paused: true as const } : {}),
});

export const reconciliationSearch = (search: Search): ReconciliationSearch => ({
  ...overviewSearch(search),
  ...times(search),
});

export const signingSearch = ({ deliveryId, attempt }: Search): SigningSearch => ({
  ...given('deliveryId', typeof deliveryId === 'string' ? deliveryId : undefined),
  ...given('attempt', isCount(attempt) ? attempt : undefined),
});

const times = ({ since, until }: Search): { since?: string; until?: string } => ({
  ...given('since', isTime(since) ? since : undefined),
  ...given('until', isTime(until) ? until : undefined),
});

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value);
const given = <Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value });
