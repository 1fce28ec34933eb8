import type { operations } from '../../api/schema.gen';

type Query = NonNullable<operations['listEvents']['parameters']['query']>;

/** The filters in the URL of the event log. */
export interface EventFilters {
  readonly type?: Query['type'];
  readonly actorId?: string;
  readonly userId?: string;
  readonly impersonatorId?: string;
  readonly since?: string;
  readonly until?: string;
  readonly includeDescendants?: true;
  readonly live?: true;
  /** The id of the event in the drawer. */
  readonly event?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Parses the query of the page; ignores invalid values. */
export function eventFilters(search: Record<string, unknown>): EventFilters {
  const filters = {
    type: text(search['type']) as Query['type'],
    actorId: text(search['actorId']),
    userId: text(search['userId']),
    impersonatorId: text(search['impersonatorId']),
    since: text(search['since']),
    until: text(search['until']),
    includeDescendants: search['includeDescendants'] === true ? true : undefined,
    live: search['live'] === true ? true : undefined,
    event: text(search['event']),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** Returns the query for the API, without the fields that only the page needs. */
export function queryOf({ live: _live, event: _event, ...query }: EventFilters): Query {
  return query;
}
