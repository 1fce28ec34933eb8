import { asciiAddress, emailKey, searchKey, unicodeAddress } from '#platform/common';

export type UserStatus = 'active' | 'suspended' | 'pending' | 'deleted';

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
  /** Ids of the other tenants in which the user is or was a guest. */
  readonly guestTenantIds: readonly string[];
}

/** Identifies a user and the tenants that can have rows about the user. */
export type UserInTenants = Pick<DirectoryUser, 'tenantId' | 'id' | 'guestTenantIds'>;

/** Returns the ids of all tenants that can have rows about a user. */
export const tenantIdsOf = ({ tenantId, guestTenantIds }: Omit<UserInTenants, 'id'>): string[] => [tenantId, ...guestTenantIds];

/** Returns the display name of a user. Without a display name, returns the full name or the email address. */
export function visibleName(user: Pick<DirectoryUser, 'email' | 'firstName' | 'lastName' | 'displayName'>): string {
  return user.displayName ?? (fullName(user) || user.email);
}

const fullName = ({ firstName, lastName }: Pick<DirectoryUser, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');

/**
 * Returns the text that a search matches. Line breaks between fields prevent a match across fields. The space before each field marks the
 * beginning of a word.
 */
export function userSearchText(user: Pick<DirectoryUser, 'email' | 'firstName' | 'lastName' | 'displayName'>): string {
  const addresses = [asciiAddress(user.email), unicodeAddress(user.email)];
  const fields = [...addresses, fullName(user), user.displayName]
    .filter((field): field is string => Boolean(field))
    .map(searchKey);
  return [...new Set(fields)].map((field) => ` ${field}`).join('\n');
}

/** Returns the columns of a directory entry that are copies of the user's fields. */
export const entryColumns = (user: DirectoryUser) => ({
  userTenantId: user.tenantId,
  userOrganizationId: user.organizationId,
  status: user.status,
  emailKey: emailKey(user.email),
  searchText: userSearchText(user),
  lastLoginAt: user.lastLoginAt,
});
