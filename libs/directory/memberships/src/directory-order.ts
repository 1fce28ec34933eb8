/** The sort orders of a directory. `-` is descending. Users without a sign-in have the earliest time. */
export const DIRECTORY_SORTS = ['-createdAt', 'createdAt', '-lastLoginAt', 'lastLoginAt', '-email', 'email'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number];

/** A sort order as SQL expressions. The last expression is the user id, which makes the order unique. */
export interface DirectoryOrder {
  readonly expressions: readonly string[];
  readonly types: readonly string[];
  /** The columns of a directory entry that the expressions read. */
  readonly columns: readonly string[];
  readonly descending: boolean;
}

const KEYS = {
  // User ids sort by time of creation.
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
