import { BooleanField, ChoiceField, ExactTextField, PageQuery, TextField } from '#http';

export class AddMemberRequest {
  @ExactTextField({ description: 'The user to add.', maxLength: 64, required: true, example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  userId!: string;

  @TextField({
    description: "Id or name of a role that is visible here. Left out: the organization's `defaultRole`.",
    maxLength: 100,
    example: 'admin',
  })
  role?: string;

  @BooleanField({ description: 'Whether the user is told by mail.', default: false })
  sendNotification?: boolean;
}

export class ListMembersQuery extends PageQuery {
  @ExactTextField({ description: 'Only holders of this role (id or name).', maxLength: 100 })
  role?: string;

  @ChoiceField({ description: 'Only users with this status.', choices: ['active', 'suspended', 'pending'] })
  status?: string;

  @ExactTextField({
    description: 'Only members whose name or e-mail contains this, whatever the case and accents.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

export class AssignRoleRequest {
  @TextField({ description: 'Id or name of a role that is visible here.', maxLength: 100, required: true, example: 'role_admin' })
  roleId!: string;
}
