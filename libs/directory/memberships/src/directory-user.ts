import { emailKey, searchKey } from '#platform/common';

export type UserStatus = 'active' | 'suspended' | 'pending' | 'deleted';

/** What the directory needs to know of a user. */
export interface DirectoryUser {
  readonly id: string;
  readonly tenantId: string;
  /** The organization that manages the user. */
  readonly organizationId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly status: UserStatus;
  readonly lastLoginAt: Date | null;
}

/** What a list calls a user: the display name, else the full name, else the address. */
export function shownName(user: Pick<DirectoryUser, 'email' | 'firstName' | 'lastName' | 'displayName'>): string {
  return user.displayName ?? (fullName(user) || user.email);
}

const fullName = ({ firstName, lastName }: Pick<DirectoryUser, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');

/**
 * What search looks through. Each field is on a line of its own, so that nothing matches across two, and begins with a space, so that the
 * beginnings of words can be found.
 */
export function userSearchText(user: Pick<DirectoryUser, 'email' | 'firstName' | 'lastName' | 'displayName'>): string {
  const fields = [user.email, fullName(user), user.displayName].filter((field): field is string => Boolean(field)).map(searchKey);
  return [...new Set(fields)].map((field) => ` ${field}`).join('\n');
}

/** The columns of a directory entry that follow from the user. */
export const entryColumns = (user: DirectoryUser) => ({
  userTenantId: user.tenantId,
  userOrganizationId: user.organizationId,
  status: user.status,
  emailKey: emailKey(user.email),
  searchText: userSearchText(user),
  lastLoginAt: user.lastLoginAt,
});
