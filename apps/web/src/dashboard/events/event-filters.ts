import type { operations } from '../../api/schema.gen';

type Query = NonNullable<operations['listEvents']['parameters']['query']>;

/** The filters in the URL of the event log. */
export interface EventFilters {
  /** Event types and groups such as `user.*`, with commas between them. */
  readonly type?: string;
  readonly search?: string;
  readonly actorId?: string;
  readonly userId?: string;
  /** The id of a resource that is no user, such as a role. */
  readonly targetId?: string;
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
    type: text(search['type']),
    search: text(search['search']),
    actorId: text(search['actorId']),
    userId: text(search['userId']),
    targetId: text(search['targetId']),
    impersonatorId: text(search['impersonatorId']),
    since: text(search['since']),
    until: text(search['until']),
    includeDescendants: search['includeDescendants'] === true ? true : undefined,
    live: search['live'] === true ? true : undefined,
    event: text(search['event']),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** Returns the query for the API. A search finds the events about a resource, because their data contains its id. */
export function queryOf({ live: _live, event: _event, type, search, targetId, ...query }: EventFilters): Query {
  const words = [search, targetId].filter((each) => each !== undefined).join(' ');
  return {
    ...query,
    ...(type === undefined ? {} : { type: type.split(',') as NonNullable<Query['type']> }),
    ...(words === '' ? {} : { search: words }),
  };
}

/** Returns the query for an address of the API. */
export const parametersOf = (filters: EventFilters): URLSearchParams =>
  new URLSearchParams(Object.entries(queryOf(filters)).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));

/** Returns the number of filters that limit the events. */
export const countFilters = ({ live: _live, event: _event, ...filters }: EventFilters): number =>
  Object.values(filters).filter((value) => value !== undefined).length;
