import { BooleanField, ChoiceField, MomentField, PageQuery, TextField } from '#platform/http';
import { DELIVERY_STATUSES, type DeliveryStatus, type ReplayInput } from '#webhooks/delivery-api';
import { STREAM_STATUSES, type StreamStatus, SUBJECT_FORMATS, type SubjectFormat } from '../streams/ssf-stream.entity.js';

/** Body of a request that changes a stream. */
export class UpdateSsfStreamRequest {
  @ChoiceField({
    description:
      '`enabled`: the stream contains events. `paused`: events are held until the stream is enabled. `disabled`: the stream contains no events, and pending ones are skipped. The receiver gets the event `stream-updated`.',
    choices: STREAM_STATUSES,
  })
  status?: StreamStatus;

  @TextField({
    description: 'Why the stream has its status. The receiver can read it. A new status without a reason removes the reason.',
    maxLength: 500,
    multiline: true,
    example: 'Maintenance of the receiver',
  })
  reason?: string;

  @ChoiceField({
    description:
      'How events name users. `iss_sub`: by the issuer and the id, as the `sub` of ID tokens. `email`: by the email address. Applies to events that are sent from now on.',
    choices: SUBJECT_FORMATS,
  })
  subjectFormat?: SubjectFormat;
}

/** Filter for deliveries of a stream. */
export class SsfDeliveriesQuery extends PageQuery {
  @ChoiceField({ description: 'Only deliveries with this status.', choices: DELIVERY_STATUSES })
  status?: DeliveryStatus;
}

const REPLAYED = ['failed', 'pending', 'all'] as const;

/** Body of a request that replays deliveries of a stream. */
export class SsfReplayRequest {
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
      'Deliveries to replay. `failed`: all attempts failed, or the receiver rejected the event. `pending`: the last attempt failed and the next one is scheduled. `all`: also deliveries that succeeded or were skipped, but not pending deliveries.',
    choices: REPLAYED,
    default: 'failed',
  })
  status?: (typeof REPLAYED)[number];

  @BooleanField({ description: 'Whether to only count the deliveries, without sending them.', default: false })
  dryRun?: boolean;

  static input({ since, until, status = 'failed', dryRun = false }: SsfReplayRequest): ReplayInput {
    return { since, ...(until === undefined ? {} : { until }), status, dryRun };
  }
}
