import { IntegerQuery, MomentField } from '#platform/http';
import { MAX_POSITION } from '../reading/event-log.requests.js';
import type { VerifiedRange } from './event-verification.js';

/** The part of the log to verify. Default: the whole log. */
export class VerifyEventsQuery {
  @IntegerQuery({
    description: 'First position to verify. The verification trusts the hash of the event before this position.',
    min: 1,
    max: MAX_POSITION,
  })
  fromPosition?: number;

  @IntegerQuery({ description: 'Last position to verify.', min: 1, max: MAX_POSITION })
  toPosition?: number;

  @MomentField({
    description: 'Starts with the first event at or after this time.',
    example: '2026-01-01T00:00:00.000Z',
  })
  since?: Date;

  @MomentField({ description: 'Ends with the last event before this time.', example: '2026-02-01T00:00:00.000Z' })
  until?: Date;

  static read({ fromPosition, toPosition, since, until }: VerifyEventsQuery): VerifiedRange {
    return {
      fromPosition: fromPosition === undefined ? undefined : BigInt(fromPosition),
      toPosition: toPosition === undefined ? undefined : BigInt(toPosition),
      since,
      until,
    };
  }
}
