import { OmitType } from '@nestjs/swagger';
import { SUBSCRIPTIONS } from '#platform/events';
import { BooleanQuery, ChoiceField, ExactTextField, MomentField, PageQuery } from '#platform/http';
import type { EventFilter } from './event-filter.js';
import { EVENT_SORTS, type EventSort } from './event-log.query.js';

const ID_LENGTH = 64;

export class ListEventsQuery extends PageQuery {
  @ChoiceField({ description: 'Only events of this type, or of a group such as `user.*`.', choices: SUBSCRIPTIONS })
  type?: string;

  @ExactTextField({ description: 'Only events that the user or API key with this id caused.', maxLength: ID_LENGTH })
  actorId?: string;

  @ExactTextField({
    description: 'Only events that the user with this id caused while signed in as other users for support.',
    maxLength: ID_LENGTH,
  })
  impersonatorId?: string;

  @ExactTextField({ description: 'Only events about the user with this id.', maxLength: ID_LENGTH })
  userId?: string;

  @MomentField({ description: 'Only events at or after this time.', example: '2026-01-01T00:00:00.000Z' })
  since?: Date;

  @MomentField({ description: 'Only events before this time.', example: '2026-02-01T00:00:00.000Z' })
  until?: Date;

  @BooleanQuery({ description: 'Whether to also return events of descendant organizations.', default: false })
  includeDescendants?: boolean;

  @ChoiceField({
    description:
      'Order of the events: `-position` is newest first, `position` is oldest first. To follow the log without missing an event, use `position` with `after`.',
    choices: EVENT_SORTS,
    default: '-position',
  })
  sort?: EventSort;
}

export class StreamEventsQuery extends OmitType(ListEventsQuery, ['limit', 'page', 'sort', 'after', 'until'] as const) {
  @ExactTextField({
    description:
      'Id of the last event that you received. The stream continues after this event. If the request has the header `Last-Event-ID`, `after` is ignored.',
    maxLength: ID_LENGTH,
  })
  after?: string;

  @MomentField({
    description: 'Only events before this time. The stream ends when this time is reached.',
    example: '2026-02-01T00:00:00.000Z',
  })
  until?: Date;
}

type FilterQuery = Omit<StreamEventsQuery, 'after'>;

export function eventFilterOf({
  type,
  actorId,
  impersonatorId,
  userId,
  since,
  until,
  includeDescendants,
}: FilterQuery): EventFilter {
  return {
    type,
    actorId,
    impersonatorId,
    userId,
    since,
    until,
    includeDescendants: includeDescendants ?? false,
  };
}
