import { BooleanField, ChoiceField, MomentField, PageQuery } from '#platform/http';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../history/delivery-history.query.js';
import type { ReplayInput } from '../redelivery/replay.service.js';

/** Filter for the deliveries to a receiver that is no webhook. */
export class ReceiverDeliveriesQuery extends PageQuery {
  @ChoiceField({ description: 'Only deliveries with this status.', choices: DELIVERY_STATUSES })
  status?: DeliveryStatus;
}

const REPLAYED = ['failed', 'pending', 'all'] as const;

/** Body of a request that replays deliveries to a receiver that is no webhook. */
export class ReceiverReplayRequest {
  @MomentField({
    description: 'Start of the range, compared with the time of the events.',
    required: true,
    example: '2026-01-15T00:00:00.000Z',
  })
  since!: Date;

  @MomentField({ description: 'End of the range, exclusive. Default: now.', example: '2026-01-16T00:00:00.000Z' })
  until?: Date;

  @ChoiceField({
    description:
      'Deliveries to replay. `failed`: deliveries with the status `failed`. `pending`: the last attempt failed and the next one is scheduled. `all`: also deliveries that succeeded or were skipped, but not pending deliveries.',
    choices: REPLAYED,
    default: 'failed',
  })
  status?: (typeof REPLAYED)[number];

  @BooleanField({ description: 'Whether to only count the deliveries, without sending them.', default: false })
  dryRun?: boolean;

  static input({ since, until, status = 'failed', dryRun = false }: ReceiverReplayRequest): ReplayInput {
    return { since, ...(until === undefined ? {} : { until }), status, dryRun };
  }
}
