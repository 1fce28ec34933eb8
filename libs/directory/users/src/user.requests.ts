import { PickType } from '@nestjs/swagger';
import type { Metadata } from '#platform/common';
import {
  BooleanField,
  BooleanQuery,
  ChoiceField,
  EmailField,
  ExactTextField,
  MetadataField,
  MomentField,
  AsOfPageQuery,
  TextField,
  TextListField,
} from '#platform/http';
import { DIRECTORY_SORTS, type DirectorySort } from '#directory/memberships';
import { withFieldsToCreate, withFieldsToUpdate } from './with-user-fields.js';

class NewUserEmail {
  @EmailField({
    description: 'Email address, unique in the tenant. Case is ignored in comparisons.',
    required: true,
    example: 'jane.doe@example.com',
  })
  email!: string;
}

export class CreateUserRequest extends withFieldsToCreate(NewUserEmail) {
  @TextListField({
    description:
      'Ids or names of roles of the organization or its ancestors. Without `roles`, the user gets the role in the setting `defaultRole` of the organization.',
    maxItems: 50,
    item: { maxLength: 100 },
    example: ['role_member'],
  })
  roles?: string[];

  @MetadataField({
    description: 'Your own custom data: a JSON object with at most 16 KB, 100 keys and 10 levels.',
    example: { team: 'sales' },
  })
  metadata?: Metadata;

  @BooleanField({ description: 'Whether to send an invitation email with a link to set a password.', default: false })
  sendInvitation?: boolean;
}

class ChangedUserEmail {
  @EmailField({
    description:
      'New email address. The new address is unverified. The service sends a message to the previous address and to the new address.',
  })
  email?: string;
}

export class UpdateUserRequest extends withFieldsToUpdate(ChangedUserEmail) {
  @MetadataField({
    description:
      "Your own custom data. Top-level keys that you don't send stay unchanged. A key with the value `null` is removed.",
    example: { team: 'marketing' },
  })
  metadata?: Metadata;
}

export class ListUsersQuery extends AsOfPageQuery {
  @BooleanQuery({
    description:
      'Whether to include the users of all descendant organizations. Each user is listed once. Organizations whose rules the session does not satisfy are left out.',
    default: false,
  })
  includeDescendants?: boolean;

  @BooleanQuery({
    description:
      'Only users that the organization manages (`true`), or only members that another organization manages, such as guests (`false`). With `includeDescendants`, this is about all organizations of the list together.',
  })
  managed?: boolean;

  @ChoiceField({
    description: 'Only users with this status. Without this filter, deleted users are not returned.',
    choices: ['active', 'suspended', 'pending', 'deleted'],
  })
  status?: string;

  @ExactTextField({ description: 'Only the user with this email address. Case is ignored.', maxLength: 254 })
  email?: string;

  @ExactTextField({
    description: 'Only the user with this `externalId`. An `externalId` is unique in the tenant.',
    maxLength: 200,
  })
  externalId?: string;

  @ExactTextField({
    description:
      'Only users whose name or email address contains this text. Case and accents are ignored. A text of 1 or 2 characters matches only the beginnings of words.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;

  @ExactTextField({
    description: 'Only users with this role in the organization. Use the id or the name of the role.',
    maxLength: 100,
  })
  role?: string;

  @MomentField({ description: 'Only users created after this time.', example: '2026-01-01T00:00:00.000Z' })
  createdAfter?: Date;

  @MomentField({ description: 'Only users created before this time.', example: '2026-02-01T00:00:00.000Z' })
  createdBefore?: Date;

  @ChoiceField({
    description:
      'Sort order. `-` means descending. If you page through the list with `after`, sort by `createdAt` or `-createdAt`. In the other sort orders, a user who changes in the meantime can be skipped or repeated.',
    choices: DIRECTORY_SORTS,
    default: '-createdAt',
  })
  sort?: DirectorySort;
}

const FILTERS = ['managed', 'status', 'email', 'externalId', 'search', 'role', 'createdAfter', 'createdBefore'] as const;
export type UserFilter = Pick<ListUsersQuery, (typeof FILTERS)[number]>;

export class ExportUsersQuery extends PickType(ListUsersQuery, FILTERS) {
  @ChoiceField({
    description: 'File format: one JSON object per line (`ndjson`), or `csv`.',
    choices: ['ndjson', 'csv'],
    default: 'ndjson',
  })
  format?: 'ndjson' | 'csv';
}

export class SuspendUserRequest {
  @TextField({
    description: 'Reason for the suspension.',
    maxLength: 500,
    multiline: true,
    minLength: 0,
    example: 'Left the company',
  })
  reason?: string;

  @BooleanField({
    description:
      'Whether to revoke the current sessions of the user permanently. If false, sessions that have not expired work again when the suspension ends.',
    default: false,
  })
  revokeActiveSessions?: boolean;
}

export class DeleteUserQuery {
  @BooleanQuery({
    description: 'Whether to delete the user permanently at once, instead of allowing a restore for 30 days.',
    default: false,
  })
  permanent?: boolean;
}
