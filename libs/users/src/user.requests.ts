import { PickType } from '@nestjs/swagger';
import type { Metadata } from '#common';
import {
  BooleanField,
  BooleanQuery,
  ChoiceField,
  EmailField,
  ExactTextField,
  LocaleField,
  MetadataField,
  MomentField,
  PageQuery,
  TextField,
  TextListField,
  WebAddressField,
} from '#http';
import { DIRECTORY_SORTS, type DirectorySort } from '#memberships';

const EXTERNAL_ID = { maxLength: 200, example: 'hr-4711' };

const PHONE = {
  maxLength: 40,
  pattern: /^[+0-9(][0-9 ()./-]{2,39}$/,
  patternMessage: 'must be a telephone number such as +49 30 123456.',
  example: '+49 30 123456',
};

export class CreateUserRequest {
  @EmailField({
    description: 'Unique in the tree of organizations; compared without regard to case.',
    required: true,
    example: 'ada@example.com',
  })
  email!: string;

  @TextField({ description: 'First name.', maxLength: 100, example: 'Ada' })
  firstName?: string;

  @TextField({ description: 'Last name.', maxLength: 100, example: 'Lovelace' })
  lastName?: string;

  @TextField({ description: 'What others see.', maxLength: 200, example: 'Ada Lovelace' })
  displayName?: string;

  @TextField({ description: 'Telephone number.', ...PHONE })
  phoneNumber?: string;

  @WebAddressField({ description: 'Address of the avatar.', example: 'https://cdn.example.com/ada.png' })
  picture?: string;

  @LocaleField({
    description:
      "Language of the user's mails and pages, as a BCP 47 language tag. Without it, the organization's `defaultLocale` applies.",
    example: 'de',
  })
  locale?: string;

  @TextField({ description: 'The id of this user in a system of yours; unique in the tree of organizations.', ...EXTERNAL_ID })
  externalId?: string;

  @TextListField({
    description: "Ids or names of roles visible here. Left out: the organization's `defaultRole`.",
    maxItems: 50,
    item: { maxLength: 100 },
    example: ['role_member'],
  })
  roles?: string[];

  @MetadataField({ description: 'Anything of your own: at most 16 KB, 100 keys, 10 levels.', example: { team: 'engines' } })
  metadata?: Metadata;

  @BooleanField({ description: 'Whether the user gets a mail with a link to set a password.', default: false })
  sendInvitation?: boolean;
}

export class UpdateUserRequest {
  @EmailField({ description: 'The new address is unverified; both addresses get a mail.' })
  email?: string;

  @TextField({ description: 'First name. `null` removes it.', maxLength: 100, nullable: true, example: 'Augusta Ada' })
  firstName?: string | null;

  @TextField({ description: 'Last name. `null` removes it.', maxLength: 100, nullable: true })
  lastName?: string | null;

  @TextField({ description: 'What others see. `null` removes it.', maxLength: 200, nullable: true })
  displayName?: string | null;

  @TextField({ description: 'Telephone number; a new one is unverified. `null` removes it.', ...PHONE, nullable: true })
  phoneNumber?: string | null;

  @WebAddressField({ description: 'Address of the avatar. `null` removes it.', nullable: true })
  picture?: string | null;

  @LocaleField({
    description: "Language of the user's mails and pages, as a BCP 47 language tag. `null` removes it.",
    nullable: true,
    example: 'pt-BR',
  })
  locale?: string | null;

  @TextField({ description: 'The id of this user in a system of yours. `null` removes it.', ...EXTERNAL_ID, nullable: true })
  externalId?: string | null;

  @MetadataField({ description: 'Only the keys sent change; `null` removes a key.', example: { team: 'analytics' } })
  metadata?: Metadata;
}

export class ListUsersQuery extends PageQuery {
  @ChoiceField({
    description: 'Only users with this status. Deleted ones show only when asked for.',
    choices: ['active', 'suspended', 'pending', 'deleted'],
  })
  status?: string;

  @ExactTextField({ description: 'Only the user with exactly this address, whatever the case.', maxLength: 254 })
  email?: string;

  @ExactTextField({ description: 'Only the user of this tree of organizations with exactly this `externalId`.', maxLength: 200 })
  externalId?: string;

  @ExactTextField({
    description: 'Only users whose name or e-mail contains this, whatever the case and accents.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;

  @ExactTextField({ description: 'Only holders of this role (id or name).', maxLength: 100 })
  role?: string;

  @MomentField({ description: 'Only users created after this moment.', example: '2026-01-01T00:00:00.000Z' })
  createdAfter?: string;

  @MomentField({ description: 'Only users created before this moment.', example: '2026-02-01T00:00:00.000Z' })
  createdBefore?: string;

  @ChoiceField({
    description: 'The order; `-` is descending. A walk with `after` skips and repeats nothing in the orders by `createdAt`.',
    choices: DIRECTORY_SORTS,
    default: '-createdAt',
  })
  sort?: DirectorySort;
}

const FILTERS = ['status', 'email', 'externalId', 'search', 'role', 'createdAfter', 'createdBefore'] as const;
/** Which users of a directory are wanted. */
export type UserFilter = Pick<ListUsersQuery, (typeof FILTERS)[number]>;

export class ExportUsersQuery extends PickType(ListUsersQuery, FILTERS) {
  @ChoiceField({ description: 'One JSON object a line, or a table.', choices: ['ndjson', 'csv'], default: 'ndjson' })
  format?: 'ndjson' | 'csv';
}

export class SuspendUserRequest {
  @TextField({ description: 'Why, for the record.', maxLength: 500, minLength: 0, example: 'Left the company' })
  reason?: string;

  @BooleanField({ description: 'Whether the sessions that are open now end for good.', default: false })
  revokeActiveSessions?: boolean;
}

export class DeleteUserQuery {
  @BooleanQuery({
    description: 'Delete at once and for good, instead of keeping the user restorable for 30 days.',
    default: false,
  })
  permanent?: boolean;
}
