import { IntersectionType, PickType } from '@nestjs/swagger';
import { BooleanField, TextField, TextListField } from '#platform/http';
import { CreateUserRequest, SuspendUserRequest } from '../user.requests.js';

/** Maximum number of items in a request. */
const MAX_ITEMS = 1_000;

export class UserBatchRequest {
  @TextListField({
    description: 'Ids of the users. An id that is in the list several times counts once.',
    required: true,
    minItems: 1,
    maxItems: MAX_ITEMS,
    item: { maxLength: 64 },
    example: ['usr_01kf2b8v3cf5h9r4n0j7d2q6xw'],
  })
  userIds!: string[];
}

export class SuspendUsersRequest extends IntersectionType(UserBatchRequest, SuspendUserRequest) {}

export class DeleteUsersRequest extends UserBatchRequest {
  @BooleanField({
    description: 'Whether to delete the users permanently at once, instead of allowing a restore for 30 days.',
    default: false,
  })
  permanent?: boolean;
}

export class InviteUsersRequest extends PickType(CreateUserRequest, ['roles']) {
  @TextListField({
    description: 'Email addresses of the new users.',
    required: true,
    minItems: 1,
    maxItems: MAX_ITEMS,
    item: { maxLength: 254 },
    example: ['jane.doe@example.com'],
  })
  emails!: string[];
}

export class UserBatchRoleRequest extends UserBatchRequest {
  @TextField({
    description: 'Id or name of a role of the organization or its ancestors.',
    maxLength: 100,
    required: true,
    example: 'role_admin',
  })
  roleId!: string;
}

export class UserBatchGroupRequest extends UserBatchRequest {
  @TextField({
    description: 'Id of a group of the organization.',
    maxLength: 64,
    required: true,
    example: 'group_01kf2bav4hf7r8v2m5n9q1c3ek',
  })
  groupId!: string;
}
