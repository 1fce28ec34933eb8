import { choiceIn, pageIn } from './search-values';

export const USER_TABS = ['profile', 'roles', 'memberships', 'sessions', 'security', 'events'] as const;
export type UserTab = (typeof USER_TABS)[number];

/** Which part of a user's page is shown; the profile is absent. */
export interface UserSearch {
  readonly tab?: UserTab;
  /** Of the list on that part. */
  readonly page?: number;
}

export const userSearchOf = (raw: Record<string, unknown>): UserSearch => ({
  tab: choiceIn(raw, 'tab', USER_TABS),
  page: pageIn(raw),
});
