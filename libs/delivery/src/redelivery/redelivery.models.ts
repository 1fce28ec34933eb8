import { ApiProperty } from '@nestjs/swagger';
import { SUBSCRIPTIONS } from '#events';
import { BooleanField, ChoiceField, MomentField, TextListField } from '#http';
import { REPLAY_STATUSES, type ReplayInput, type ReplayStatus } from './replay.service.js';

/** Which deliveries to send again. */
export class ReplayRequest {
  @MomentField({
    description: 'Events from this moment on (their `timestamp`).',
    required: true,
    example: '2026-01-15T00:00:00.000Z',
  })
  since!: string;

  @MomentField({ description: 'Events before this moment. Default: now.', example: '2026-01-16T00:00:00.000Z' })
  until?: string;

  @TextListField({
    description: 'Only events of these types or groups. Default: all.',
    example: ['user.*'],
    minItems: 1,
    maxItems: SUBSCRIPTIONS.length,
    item: { maxLength: 64 },
    choices: SUBSCRIPTIONS,
  })
  eventTypes?: string[];

  @ChoiceField({
    description:
      '`failed`: those of which every attempt failed. `missed`: those never sent, since the webhook was switched off by hand. `all`: both, and those that succeeded. What is still being tried is left alone.',
    choices: REPLAY_STATUSES,
    default: 'failed',
  })
  status?: ReplayStatus;

  @BooleanField({ description: 'Only count; nothing is sent.', default: false })
  dryRun?: boolean;

  static input({ since, until, eventTypes, status, dryRun }: ReplayRequest): ReplayInput {
    return {
      since: new Date(since),
      ...(until === undefined ? {} : { until: new Date(until) }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      status: status ?? 'failed',
      dryRun: dryRun ?? false,
    };
  }
}

/** How much a replay sends again. */
export class ReplayResponse {
  @ApiProperty({ description: 'How many deliveries are sent again, or would be.', type: 'integer', example: 412 })
  count!: number;

  @ApiProperty({ description: 'Whether they were only counted.', example: false }) dryRun!: boolean;
}
