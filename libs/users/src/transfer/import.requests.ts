import { BooleanField, ChoiceField } from '#http';
import { CreateUserRequest } from '../user.requests.js';

/** One line of an import: a user. */
export class ImportUserRequest extends CreateUserRequest {
  @ChoiceField({
    description: 'The status of a user that is created; one that exists keeps its own.',
    choices: ['pending', 'active'],
    default: 'pending',
  })
  status?: 'pending' | 'active';

  @BooleanField({ description: "Whether the address is known to be the user's.", default: false })
  emailVerified?: boolean;
}

/** Fields that exports have and imports pass over, so that an export can be imported as it is. */
export const PASSED_OVER: readonly string[] = ['id', 'createdAt', 'updatedAt', 'lastLoginAt'];

/** Columns of a table of users, in the order of exports. */
export const IMPORT_COLUMNS: readonly string[] = [
  'externalId',
  'email',
  'emailVerified',
  'firstName',
  'lastName',
  'displayName',
  'phoneNumber',
  'picture',
  'status',
  'roles',
  'metadata',
  'sendInvitation',
  ...PASSED_OVER,
];
