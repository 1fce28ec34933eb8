import { OmitType, PickType } from '@nestjs/swagger';
import { SUBSCRIPTIONS } from '#platform/events';
import { BooleanQuery, ChoiceField, ChoiceListQuery, ExactTextField, IntegerQuery, MomentField, PageQuery } from '#platform/http';
import type { EventFilter } from './event-filter.js';
import { EVENT_SORTS, type EventSort } from './event-log.query.js';

const ID_LENGTH = 64;
const MAX_WORDS = 5;
export const MAX_POSITION = 999_999_999_999_999;

export class ListEventsQuery extends PageQuery {
  @ChoiceListQuery({
    description:
      'Only events of these types and groups such as `user.*`. For several, send the parameter several times, or put commas between the values.',
    choices: SUBSCRIPTIONS,
  })
  type?: string[];

  @ExactTextField({
    description: 'Only events that the user, API key, machine client, SCIM connection or setup link with this id caused.',
    maxLength: ID_LENGTH,
  })
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

  @ExactTextField({
    description:
      'Only events that contain all words of this text, for example an ID, an email address, a name or an IP address. Words are separated by spaces and can be parts of longer words. Case is ignored. Names of fields are not searched, nor is personal data that was removed from an event.',
    minLength: 0,
    maxLength: 100,
    findError: (value) =>
      wordsOf(value).length > MAX_WORDS
        ? { code: 'too_many', maximum: MAX_WORDS, message: `must have at most ${MAX_WORDS} words.` }
        : undefined,
  })
  search?: string;

  @IntegerQuery({
    description: 'Only events up to this position, inclusive. Continues a search with `pagination.nextToPosition`.',
    min: 1,
    max: MAX_POSITION,
  })
  toPosition?: number;
}

const FILTERS = ['type', 'actorId', 'impersonatorId', 'userId', 'since', 'until', 'search', 'includeDescendants'] as const;

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type EventExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportEventsQuery extends PickType(ListEventsQuery, FILTERS) {
  @ChoiceField({
    description: 'File format: one JSON object per line (`ndjson`), or `csv`.',
    choices: [...EXPORT_FORMATS],
    default: 'ndjson',
  })
  format?: EventExportFormat;
}

export class StreamEventsQuery extends OmitType(PickType(ListEventsQuery, FILTERS), ['until'] as const) {
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

const wordsOf = (search: string): string[] => [...new Set(search.split(/\s+/).filter((word) => word !== ''))];

export function eventFilterOf(query: Pick<ListEventsQuery, (typeof FILTERS)[number] | 'toPosition'>): EventFilter {
  const { type, actorId, impersonatorId, userId, since, until, search = '', includeDescendants = false, toPosition } = query;
  return {
    types: type,
    actorId,
    impersonatorId,
    userId,
    since,
    until,
    words: wordsOf(search),
    includeDescendants,
    toPosition: toPosition === undefined ? undefined : BigInt(toPosition),
  };
}
