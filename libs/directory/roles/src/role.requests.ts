import { OmitType } from '@nestjs/swagger';
import { ExactTextField, TextField, TextListField } from '#platform/http';

const NAME = {
  description: 'Name of the role, unique in the organization.',
  maxLength: 100,
  // Lists all line breaks, because `.` matches some line breaks in the regular expressions of other languages.
  pattern: /^(?!role_)\S([^\n\r\u2028\u2029]*\S)?$/,
  patternMessage: 'must be a single line and must not start with "role_", which is reserved for ids.',
  example: 'billing',
};

const PERMISSIONS = {
  description:
    'Permissions of the form `resource:action`. `users:*` covers all actions on a resource, and `*` covers everything. `GET /v1/permissions` lists the permissions of this service; all others are permissions of your own applications.',
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

  @TextField({ description: 'Description of the role.', maxLength: 500, multiline: true, example: 'Can view and pay invoices.' })
  description?: string;

  @TextListField(PERMISSIONS)
  permissions?: string[];
}

export class UpdateRoleRequest {
  @TextField(NAME)
  name?: string;

  @TextField({ description: 'Description of the role. `null` removes it.', maxLength: 500, multiline: true, nullable: true })
  description?: string | null;

  @TextListField(PERMISSIONS)
  permissions?: string[];
}

/** A role in the configuration of an organization. */
export class RoleConfiguration extends OmitType(UpdateRoleRequest, ['name'] as const) {
  @TextField({ ...NAME, required: true })
  name!: string;
}

export class DeleteRoleQuery {
  @ExactTextField({
    description: 'Id or name of the role that replaces the deleted role. Required if the deleted role is in use.',
    maxLength: 100,
  })
  reassignTo?: string;
}
