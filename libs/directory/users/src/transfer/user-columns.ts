/** Fields of exported users, in the order of a table's columns. */
export const EXPORT_COLUMNS = [
  'id',
  'externalId',
  'email',
  'emailVerified',
  'firstName',
  'lastName',
  'displayName',
  'phoneNumber',
  'picture',
  'locale',
  'status',
  'roles',
  'metadata',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
] as const;

/** Fields that exports have and imports pass over, so that an export can be imported as it is. */
export const PASSED_OVER: readonly string[] = ['id', 'createdAt', 'updatedAt', 'lastLoginAt'];

/** Columns that a table to be imported may have: those of exports, and what no export tells. */
export const IMPORT_COLUMNS: readonly string[] = [...EXPORT_COLUMNS, 'sendInvitation', 'passwordHash'];
