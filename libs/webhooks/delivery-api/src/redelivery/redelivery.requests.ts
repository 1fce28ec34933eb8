import { SUBSCRIPTIONS } from '#platform/events';
import { BooleanField, ChoiceField, MomentField, TextListField } from '#platform/http';
import { REPLAY_STATUSES, type ReplayInput, type ReplayStatus } from './replay.service.js';

/** Body of a request that replays deliveries. */
export class ReplayRequest {
  @MomentField({
    description: 'Start of the range, compared with the `timestamp` of events.',
    required: true,
    example: '2026-01-15T00:00:00.000Z',
  })
  since!: Date;

  @MomentField({ description: 'End of the range, exclusive. Default: now.', example: '2026-01-16T00:00:00.000Z' })
  until?: Date;

  @TextListField({
    description: 'Only events of these types or groups. Default: all types.',
    example: ['user.*'],
    minItems: 1,
    item: { maxLength: 64 },
    choices: SUBSCRIPTIONS,
  })
  eventTypes?: string[];

  @ChoiceField({
    description:
      'Deliveries to replay. `failed`: deliveries with the status `failed`. `missed`: deliveries with the status `skipped`, and events that have no delivery. (An event can have no delivery only if the database lost data, for example after a restore from a backup.) `all`: the deliveries of `failed` and `missed`, and deliveries with the status `succeeded`. `pending`: deliveries whose last attempt failed and that wait for a retry; they are sent now, for example after the destination was repaired, and their retry schedule starts from the beginning. Other pending deliveries are never replayed.',
    choices: REPLAY_STATUSES,
    default: 'failed',
  })
  status?: ReplayStatus;

  @BooleanField({ description: 'Whether to only count the deliveries, without sending them.', default: false })
  dryRun?: boolean;

  static input({ since, until, eventTypes, status, dryRun }: ReplayRequest): ReplayInput {
    return {
      since,
      ...(until === undefined ? {} : { until }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      status: status ?? 'failed',
      dryRun: dryRun ?? false,
    };
  }
}
