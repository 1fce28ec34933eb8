import { ExactTextField, TextField, TextListField } from '#http';

const NAME = {
  description: 'Unique in the organization.',
  maxLength: 100,
  // Line ends by name: `.` takes some of them in other languages.
  pattern: /^(?!role_)\S([^\n\r\u2028\u2029]*\S)?$/,
  patternMessage: 'must be a single line, and must not begin with "role_", which is kept for ids.',
  example: 'billing',
};

const PERMISSIONS = {
  description:
    '`resource:action` each; `users:*` and `*` cover groups. Those of this service are listed by GET /v1/permissions, any further ones are your own.',
  maxItems: 200,
  item: {
    maxLength: 100,
    pattern: /^(\*|[a-z][a-z0-9_.-]*:(\*|[a-z][a-z0-9_.-]*))$/,
    patternMessage: 'must have the form resource:action, resource:* or *.',
  },
  example: ['invoices:read', 'invoices:write'],
};

export class CreateRoleRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @TextField({ description: 'What the role is for.', maxLength: 500, example: 'Sees and pays invoices' })
  description?: string;

  @TextListField(PERMISSIONS)
  permissions?: string[];
}

export class UpdateRoleRequest {
  @TextField(NAME)
  name?: string;

  @TextField({ description: 'What the role is for. `null` removes it.', maxLength: 500, nullable: true })
  description?: string | null;

  @TextListField(PERMISSIONS)
  permissions?: string[];
}

export class DeleteRoleQuery {
  @ExactTextField({ description: 'Id or name of the role that those who hold this one get instead.', maxLength: 100 })
  reassignTo?: string;
}
