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
