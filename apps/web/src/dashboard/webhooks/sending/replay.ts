import { api, type Schema, unwrap } from '../../../api/client';
import type { WebhookKey } from '../webhook-queries';

/**
 * The deliveries to replay. `missed` means skipped and missing deliveries. `both` means `failed` and `missed`. `pending` means deliveries that
 * wait for a retry.
 */
export type ReplayChoice = 'failed' | 'missed' | 'both' | 'pending' | 'all';

export interface ReplayOptions {
  readonly since: string;
  /** The end of the period. Default: now. */
  readonly until?: string;
  readonly choice: ReplayChoice;
  /** The event types to replay. Empty for all types. */
  readonly eventTypes: readonly string[];
}

/** The rate of a replay, unless the webhook has a lower limit. */
export const REPLAY_RATE_PER_SECOND = 100;

/** Replays deliveries, or only counts deliveries with `dryRun`. Returns the number of deliveries. */
export async function replay(key: WebhookKey, { choice, eventTypes, ...range }: ReplayOptions, dryRun: boolean): Promise<number> {
  const statuses = choice === 'both' ? (['failed', 'missed'] as const) : ([choice] as const);
  const counts: number[] = [];
  for (const status of statuses) {
    const types = eventTypes.length > 0 ? { eventTypes: eventTypes as Schema<'ReplayRequest'>['eventTypes'] } : {};
    const body = { ...range, ...types, status, dryRun };
    const { data } = await unwrap(api.POST('/v1/organizations/{org}/webhooks/{id}/replay', { params: { path: key }, body }));
    counts.push(data.count);
  }
  return counts.reduce((sum, count) => sum + count, 0);
}
