import { choiceIn, pageIn } from './search-values';

export const USER_TABS = ['profile', 'roles', 'memberships', 'sessions', 'security', 'events'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** The tab in the URL of a user's page. Absent for the profile. */
export interface UserSearch {
  readonly tab?: UserTab;
  /** The page of the list in the tab. */
  readonly page?: number;
}

export const userSearchOf = (raw: Record<string, unknown>): UserSearch => ({
  tab: choiceIn(raw, 'tab', USER_TABS),
  page: pageIn(raw),
});
