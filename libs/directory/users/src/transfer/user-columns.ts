import { USER_FIELD_NAMES } from '../user-fields.js';

/** The fields of exported users, in the order of the columns of a CSV file. */
export const EXPORT_COLUMNS = [
  ...new Set([
    'id' as const,
    'externalId' as const,
    'email' as const,
    'emailVerified' as const,
    ...USER_FIELD_NAMES,
    'status' as const,
    'suspendedReason' as const,
    'roles' as const,
    'metadata' as const,
    'lastLoginAt' as const,
    'createdAt' as const,
    'updatedAt' as const,
  ]),
];

/** Exported fields that change nothing in an import, so that an export can be imported without changes. */
export const IGNORED_FIELDS: readonly string[] = ['id', 'createdAt', 'updatedAt', 'lastLoginAt'];

/** The columns of an imported CSV file: the columns of exports and additional columns. */
export const IMPORT_COLUMNS: readonly string[] = [
  ...EXPORT_COLUMNS,
  'phoneVerified',
  'sendInvitation',
  'passwordHash',
  'identities',
  'memberships',
  'totpSecret',
  'passkeys',
];
