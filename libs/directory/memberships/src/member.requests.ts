import { BooleanField, ChoiceField, ExactTextField, AsOfPageQuery, TextField } from '#platform/http';

export class AddMemberRequest {
  @ExactTextField({
    description: 'Id of the user to add.',
    maxLength: 64,
    required: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  userId!: string;

  @TextField({
    description:
      'Id or name of a role of the organization or its ancestors. Without `role`, a new member gets the role in the setting `defaultRole` of the organization, and an existing member keeps their role.',
    maxLength: 100,
    example: 'admin',
  })
  role?: string;

  @BooleanField({ description: 'Whether to notify the user by email.', default: false })
  sendNotification?: boolean;
}

export class ListMembersQuery extends AsOfPageQuery {
  @ExactTextField({
    description: 'Only members with this role in the organization. Use the id or the name of the role.',
    maxLength: 100,
  })
  role?: string;

  @ChoiceField({ description: 'Only members with this status.', choices: ['active', 'suspended', 'pending'] })
  status?: string;

  @ExactTextField({
    description:
      'Only members whose name or email address contains this text. Case and accents are ignored. A text of 1 or 2 characters matches only the beginnings of words.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

export class AssignRoleRequest {
  @TextField({
    description: 'Id or name of a role of the organization or its ancestors.',
    maxLength: 100,
    required: true,
    example: 'role_admin',
  })
  roleId!: string;
}
