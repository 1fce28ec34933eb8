import { pagingIn } from '../../ui/paging';
import { choiceIn, dayIn, textIn } from './search-values';

export const USER_STATUSES = ['active', 'pending', 'suspended', 'deleted'] as const;
export const USER_SORTS = ['-createdAt', 'createdAt', '-lastLoginAt', 'lastLoginAt', 'email', '-email'] as const;

export const MANAGED_BY = ['here', 'elsewhere'] as const;

export interface UsersSearch {
  /** Whether the list includes the users of all descendants. */
  readonly descendants?: true;
  /** Whether this organization manages the users, or another one. */
  readonly managed?: (typeof MANAGED_BY)[number];
  readonly search?: string;
  readonly status?: (typeof USER_STATUSES)[number];
  readonly role?: string;
  /** The first and the last day, in the time zone of the device. */
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly sort?: (typeof USER_SORTS)[number];
  readonly page?: number;
  readonly limit?: number;
}

export const usersSearchOf = (raw: Record<string, unknown>): UsersSearch => ({
  descendants: raw['descendants'] === true ? true : undefined,
  managed: choiceIn(raw, 'managed', MANAGED_BY),
  search: textIn(raw, 'search'),
  status: choiceIn(raw, 'status', USER_STATUSES),
  role: textIn(raw, 'role'),
  createdFrom: dayIn(raw, 'createdFrom'),
  createdTo: dayIn(raw, 'createdTo'),
  sort: choiceIn(raw, 'sort', USER_SORTS),
  ...pagingIn(raw),
});

const DAY_MS = 86_400_000;
const midnight = (day: string): number => new Date(`${day}T00:00:00`).getTime();

/** Returns the filter for the API, whose bounds are exclusive. */
export const filterOf = ({ managed, search, status, role, createdFrom, createdTo }: UsersSearch) => ({
  managed: managed && managed === 'here',
  search,
  status,
  role,
  createdAfter: createdFrom && new Date(midnight(createdFrom) - 1).toISOString(),
  // Adds half a day before truncation, because days with a clock change do not have 24 hours.
  createdBefore: createdTo && new Date(midnight(dayOf(midnight(createdTo) + 1.5 * DAY_MS))).toISOString(),
});

function dayOf(moment: number): string {
  const date = new Date(moment);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

export const isFiltered = (search: UsersSearch): boolean => Object.values(filterOf(search)).some((value) => value !== undefined);
