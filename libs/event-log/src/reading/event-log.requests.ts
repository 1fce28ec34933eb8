import { OmitType } from '@nestjs/swagger';
import { SUBSCRIPTIONS } from '#events';
import { BooleanQuery, ChoiceField, ExactTextField, MomentField, PageQuery } from '#http';
import type { EventFilter } from './event-filter.js';
import { EVENT_SORTS, type EventSort } from './event-log.read.js';

const ID_LENGTH = 64;

/** Which events of the log are wanted, and in which order. */
export class ListEventsQuery extends PageQuery {
  @ChoiceField({ description: 'Only events of this type, or of a group such as `user.*`.', choices: SUBSCRIPTIONS })
  type?: string;

  @ExactTextField({ description: 'Only events caused by this actor: the id of a user or an API key.', maxLength: ID_LENGTH })
  actorId?: string;

  @ExactTextField({ description: 'Only events about this user.', maxLength: ID_LENGTH })
  userId?: string;

  @MomentField({ description: 'Only events that occurred at this moment or after it.', example: '2026-01-01T00:00:00.000Z' })
  since?: string;

  @MomentField({ description: 'Only events that occurred before this moment.', example: '2026-02-01T00:00:00.000Z' })
  until?: string;

  @BooleanQuery({ description: 'Also events of the organizations below.', default: false })
  includeDescendants?: boolean;

  @ChoiceField({
    description:
      'The order; `-` is newest first. To follow the log, walk with `position` and `after`: no event is ever passed over, however many ' +
      'are being written meanwhile.',
    choices: EVENT_SORTS,
    default: '-position',
  })
  sort?: EventSort;
}

/** Which events a stream brings, and from where on. */
export class StreamEventsQuery extends OmitType(ListEventsQuery, ['limit', 'page', 'sort', 'after', 'until'] as const) {
  @ExactTextField({
    description: 'The id of the last event seen: the stream goes on after it. The header `Last-Event-ID` comes before it.',
    maxLength: ID_LENGTH,
  })
  after?: string;

  @MomentField({
    description: 'Only events that occurred before this moment; the stream ends once it has passed.',
    example: '2026-02-01T00:00:00.000Z',
  })
  until?: string;
}

type FilterQuery = Omit<StreamEventsQuery, 'after'>;

export function eventFilterOf({ type, actorId, userId, since, until, includeDescendants }: FilterQuery): EventFilter {
  return {
    type,
    actorId,
    userId,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    includeDescendants: includeDescendants ?? false,
  };
}
