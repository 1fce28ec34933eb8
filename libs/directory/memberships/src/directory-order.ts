/** How a directory can be ordered; `-` is descending. Users who never signed in come before all who did. */
export const DIRECTORY_SORTS = ['-createdAt', 'createdAt', '-lastLoginAt', 'lastLoginAt', '-email', 'email'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number];

/** The order as SQL has it: what is compared, which ends with the user's id, so that there are no ties. */
export interface DirectoryOrder {
  readonly expressions: readonly string[];
  readonly types: readonly string[];
  /** The columns of an entry that the expressions read. */
  readonly columns: readonly string[];
  readonly descending: boolean;
}

const KEYS = {
  // Ids are ordered in time.
  createdAt: { expressions: ['e.user_id'], types: ['text'], columns: ['user_id'] },
  lastLoginAt: {
    expressions: [`coalesce(e.last_login_at, timestamptz '-infinity')`, 'e.user_id'],
    types: ['timestamptz', 'text'],
    columns: ['last_login_at', 'user_id'],
  },
  email: { expressions: ['e.email_key', 'e.user_id'], types: ['text', 'text'], columns: ['email_key', 'user_id'] },
};

export function directoryOrder(sort: DirectorySort = '-createdAt'): DirectoryOrder {
  const descending = sort.startsWith('-');
  const field = sort.replace('-', '') as keyof typeof KEYS;
  return { ...KEYS[field], descending };
}
