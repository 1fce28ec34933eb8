import {
  BooleanQuery,
  ChoiceField,
  ExactTextField,
  MetadataField,
  ObjectField,
  PageQuery,
  TextField,
  TextListField,
  WebAddressField,
} from '#http';
import type { Metadata } from '#common';
import type { OrganizationStatus, OrganizationType } from './organization.entity.js';
import { LOCKED_SETTINGS_FIELD, type LockedSettings, SettingsRequest } from './settings/settings.requests.js';
import { SLUG_PATTERN } from './slug.js';

const TYPES = ['standard', 'enterprise'] as const;
const STATUSES = ['active', 'suspended', 'pending', 'deleted'] as const;

export class BrandingRequest {
  @TextField({
    description: 'The main colour. `null` removes it.',
    maxLength: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    patternMessage: 'must be a colour such as #1a2b3c.',
    nullable: true,
    example: '#1a2b3c',
  })
  primaryColor?: string | null;

  @WebAddressField({
    description:
      'Address of the logo. Mails load it from there; pages get it from the service, if it is a PNG, JPEG, GIF or WebP of at most 512 KB. `null` removes it.',
    nullable: true,
    example: 'https://cdn.example.com/logo.png',
  })
  logo?: string | null;

  @WebAddressField({
    description: 'Address of the favicon. `null` removes it.',
    nullable: true,
    example: 'https://cdn.example.com/favicon.ico',
  })
  favicon?: string | null;
}

export class CreateOrganizationRequest {
  @TextField({ description: 'The name that people see.', maxLength: 200, required: true, example: 'Acme' })
  name!: string;

  @TextField({
    description: 'Short name for paths, unique over the whole service. Left out: made from the name.',
    maxLength: 63,
    pattern: SLUG_PATTERN,
    patternMessage: 'must be lower-case letters, digits and inner hyphens, at most 63.',
    example: 'acme',
  })
  slug?: string;

  @TextField({ description: 'What the organization is.', maxLength: 2000, example: 'Makers of everything' })
  description?: string;

  @TextField({
    description:
      'The organization above, by id or slug. Left out: a top-level organization, which only a platform key can create.',
    maxLength: 63,
  })
  parentId?: string;

  @ChoiceField({ description: 'The kind of organization.', choices: TYPES, default: 'standard' })
  type?: OrganizationType;

  @WebAddressField({ description: 'Address of the logo.', example: 'https://cdn.example.com/logo.svg' })
  logo?: string;

  @ObjectField(() => BrandingRequest, { description: 'Colours and pictures for mails and pages.' })
  branding?: BrandingRequest;

  @ObjectField(() => SettingsRequest, { description: 'Settings that differ from what is inherited.' })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;

  @MetadataField({ description: 'Anything of your own: at most 16 KB, 100 keys, 10 levels.', example: { plan: 'pro' } })
  metadata?: Metadata;
}

export class UpdateOrganizationRequest {
  @TextField({ description: 'The name that people see.', maxLength: 200, example: 'Acme Corporation' })
  name?: string;

  @TextField({ description: 'What the organization is. `null` removes it.', maxLength: 2000, nullable: true })
  description?: string | null;

  @ChoiceField({ description: 'The kind of organization.', choices: TYPES })
  type?: OrganizationType;

  @WebAddressField({ description: 'Address of the logo. `null` removes it.', nullable: true })
  logo?: string | null;

  @ObjectField(() => BrandingRequest, {
    description: 'Colours and pictures, merged field by field. `null` removes all.',
    nullable: true,
  })
  branding?: BrandingRequest | null;

  @ObjectField(() => SettingsRequest, {
    description: 'Settings to override, merged field by field. A field `null` inherits again.',
  })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;

  @MetadataField({ description: 'Merged by top-level key; `null` removes a key.' })
  metadata?: Metadata;
}

export class ListOrganizationsQuery extends PageQuery {
  @ExactTextField({
    description: 'Only organizations directly below this one (id or slug); `null` for top-level ones.',
    maxLength: 63,
  })
  parentId?: string;

  @BooleanQuery({
    description: 'Only the topmost ones of those that the caller sees: where to begin to walk down the tree.',
    default: false,
  })
  topmost?: boolean;

  @ChoiceField({
    description:
      'Only organizations with this status. Deleted ones show only when asked for: those that can be restored by themselves.',
    choices: STATUSES,
  })
  status?: OrganizationStatus | 'deleted';

  @ChoiceField({ description: 'Only organizations of this type.', choices: TYPES })
  type?: OrganizationType;

  @ExactTextField({
    description: 'Only organizations whose name or slug contains this, whatever the case and accents.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

export class SuspendOrganizationRequest {
  @TextField({ description: 'Why, for the record.', maxLength: 500, minLength: 0, example: 'Unpaid invoices' })
  reason?: string;
}

export class DeleteOrganizationQuery {
  @BooleanQuery({ description: 'Delete all organizations below it too.', default: false })
  cascade?: boolean;
}
