import { answerOf, api, type Schema } from '../../../api/client';
import type { WebhookKey } from '../webhook-queries';

/** Which deliveries a person wants sent again; `both`: those given up, and those skipped. */
export type ReplayChoice = 'failed' | 'missed' | 'both' | 'all';

export interface ReplayWish {
  readonly since: string;
  /** Absent: now. */
  readonly until?: string;
  readonly choice: ReplayChoice;
  /** Empty: all. */
  readonly eventTypes: readonly string[];
}

/** How many deliveries a second a replay sends, where the webhook does not say less. */
export const REPLAYED_PER_SECOND = 100;

/** Counts what would be sent again, or sends it; gives how many. */
export async function replay(key: WebhookKey, { choice, eventTypes, ...range }: ReplayWish, dryRun: boolean): Promise<number> {
  const statuses = choice === 'both' ? (['failed', 'missed'] as const) : ([choice] as const);
  const counts: number[] = [];
  for (const status of statuses) {
    const types = eventTypes.length > 0 ? { eventTypes: eventTypes as Schema<'ReplayRequest'>['eventTypes'] } : {};
    const body = { ...range, ...types, status, dryRun };
    const { data } = await answerOf(api.POST('/v1/organizations/{org}/webhooks/{id}/replay', { params: { path: key }, body }));
    counts.push(data.count);
  }
  return counts.reduce((sum, count) => sum + count, 0);
}
