import { Injectable } from '@nestjs/common';
import { InvalidRequest, type RequestContext } from '#platform/common';
import { coversEvent, EVENT_TYPES, UnitOfWork } from '#platform/events';
import { type WebhookDetails, WebhooksService } from '#webhooks/webhooks';
import { MissingDeliveriesService } from './missing-deliveries.service.js';
import { REPLAY_MAX, ReplayTooLarge, WebhookDisabled } from './redelivery-errors.js';
import { type ReplayedDeliveries, RedeliveryQuery } from './redelivery.query.js';

export const REPLAY_STATUSES = ['failed', 'missed', 'pending', 'all'] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

/** The deliveries that a caller wants to replay. */
export interface ReplayInput {
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date;
  /** Event types, groups such as `user.*`, or `*`. Default: all types. */
  readonly eventTypes?: readonly string[];
  readonly status: ReplayStatus;
  /** Whether to only count the deliveries. */
  readonly dryRun: boolean;
}

/** Statuses of the deliveries to replay. `missed` deliveries were skipped because the webhook was disabled by hand. */
const STATUSES: Record<ReplayStatus, ReplayedDeliveries['statuses']> = {
  failed: ['failed'],
  missed: ['skipped'],
  pending: ['pending'],
  all: ['succeeded', 'failed', 'skipped'],
};

/** Replays deliveries of a period, with the same event IDs and payloads and with new signatures. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: RedeliveryQuery,
    private readonly missing: MissingDeliveriesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Replays deliveries, which are sent after new events. Returns the number of deliveries.
   * @throws ResourceNotFound, InvalidRequest, EventsReadRequired (403), ReauthenticationRequired (401)
   * @throws WebhookDisabled (409), ReplayTooLarge (422)
   */
  async replay(ctx: RequestContext, webhookId: string, input: ReplayInput): Promise<number> {
    const webhook = input.dryRun ? await this.webhooks.get(ctx, webhookId) : await this.webhooks.getForCopy(ctx, webhookId);
    if (!webhook.enabled && !input.dryRun) throw new WebhookDisabled();
    const wanted = this.wanted(input);
    return this.work.run(ctx, async (ctx) => {
      await this.deliveries.lockReplays(ctx, webhook);
      const count = await this.deliveries.count(ctx, webhook, wanted, REPLAY_MAX);
      if (count > REPLAY_MAX) throw new ReplayTooLarge();
      const missing = input.status === 'missed' || input.status === 'all';
      if (!input.dryRun) return this.markAllWaiting(ctx, webhook, wanted, missing);
      return count + (missing ? await this.missing.count(ctx, webhook, wanted) : 0);
    });
  }

  /** Replays the existing deliveries of a receiver that is no webhook and that the caller can access. */
  async replayOf(
    ctx: RequestContext,
    receiver: { readonly tenantId: string; readonly id: string },
    input: ReplayInput,
  ): Promise<number> {
    const wanted = this.wanted(input);
    return this.work.run(ctx, async (ctx) => {
      await this.deliveries.lockReplays(ctx, receiver);
      const count = await this.deliveries.count(ctx, receiver, wanted, REPLAY_MAX);
      if (count > REPLAY_MAX) throw new ReplayTooLarge();
      return input.dryRun ? count : this.deliveries.hold(ctx, receiver, wanted);
    });
  }

  private wanted({ since, until = this.work.now(), eventTypes, status }: ReplayInput): ReplayedDeliveries {
    if (since >= until) {
      const message = '`since` must be before `until` and in the past.';
      throw new InvalidRequest([{ pointer: '/since', in: 'body', code: 'out_of_range', message }]);
    }
    const types = eventTypes && EVENT_TYPES.filter((type) => eventTypes.some((wanted) => coversEvent(wanted, type)));
    return { since, until, statuses: STATUSES[status], ...(types ? { eventTypes: types } : {}) };
  }

  /** Makes existing deliveries wait for the sweeper, and inserts missing deliveries. */
  private async markAllWaiting(
    ctx: RequestContext,
    webhook: WebhookDetails,
    wanted: ReplayedDeliveries,
    missing: boolean,
  ): Promise<number> {
    const added = missing ? await this.missing.add(ctx, webhook, wanted) : 0;
    return added + (await this.deliveries.hold(ctx, webhook, wanted));
  }
}
