import { type AsOfSearch, asOfSearchOf } from '../as-of/as-of-search';
import { pagingIn } from '../../ui/paging';
import { choiceIn } from './search-values';

export const USER_TABS = ['profile', 'roles', 'memberships', 'sessions', 'security', 'events'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** The state of a user's page in the URL. */
export interface UserSearch extends AsOfSearch {
  /** Absent for the profile. */
  readonly tab?: UserTab;
  /** The page of the list in the tab. */
  readonly page?: number;
}

export const userSearchOf = (raw: Record<string, unknown>): UserSearch => ({
  tab: choiceIn(raw, 'tab', USER_TABS),
  ...pagingIn(raw),
  ...asOfSearchOf(raw),
});
