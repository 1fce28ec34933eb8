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
    description: 'Primary color as a hex value. `null` removes it.',
    maxLength: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    patternMessage: 'must be a hex color such as #1a2b3c.',
    nullable: true,
    example: '#1a2b3c',
  })
  primaryColor?: string | null;

  @WebAddressField({
    description:
      'URL of the logo. Emails load the logo from this URL. Sign-in pages load it from the service, which accepts PNG, JPEG, GIF and WebP images of up to 512 KB. `null` removes it.',
    nullable: true,
    example: 'https://cdn.example.com/logo.png',
  })
  logo?: string | null;

  @WebAddressField({
    description: 'URL of the favicon. `null` removes it.',
    nullable: true,
    example: 'https://cdn.example.com/favicon.ico',
  })
  favicon?: string | null;
}

export class CreateOrganizationRequest {
  @TextField({ description: 'Display name of the organization.', maxLength: 200, required: true, example: 'Acme Inc.' })
  name!: string;

  @TextField({
    description: 'Identifier for use in paths, unique in the whole service. By default, it is generated from the name.',
    maxLength: 63,
    pattern: SLUG_PATTERN,
    patternMessage:
      'must have at most 63 lowercase letters, digits and hyphens, and must start and end with a letter or a digit.',
    example: 'acme',
  })
  slug?: string;

  @TextField({ description: 'Description of the organization.', maxLength: 2000, example: 'Industrial equipment manufacturer' })
  description?: string;

  @TextField({
    description:
      'Id or slug of the parent organization. By default, a root organization is created, which requires a platform key.',
    maxLength: 63,
  })
  parentId?: string;

  @ChoiceField({ description: 'Type of the organization.', choices: TYPES, default: 'standard' })
  type?: OrganizationType;

  @WebAddressField({ description: 'URL of the logo.', example: 'https://cdn.example.com/logo.svg' })
  logo?: string;

  @ObjectField(() => BrandingRequest, { description: 'Colors and images for emails and sign-in pages.' })
  branding?: BrandingRequest;

  @ObjectField(() => SettingsRequest, { description: 'Settings that override the inherited settings.' })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;

  @MetadataField({ description: 'Custom data as a JSON object, up to 16 KB, 100 keys and 10 levels.', example: { plan: 'pro' } })
  metadata?: Metadata;
}

export class UpdateOrganizationRequest {
  @TextField({ description: 'Display name of the organization.', maxLength: 200, example: 'Acme Corporation' })
  name?: string;

  @TextField({ description: 'Description of the organization. `null` removes it.', maxLength: 2000, nullable: true })
  description?: string | null;

  @ChoiceField({ description: 'Type of the organization.', choices: TYPES })
  type?: OrganizationType;

  @WebAddressField({ description: 'URL of the logo. `null` removes it.', nullable: true })
  logo?: string | null;

  @ObjectField(() => BrandingRequest, {
    description: 'Colors and images for emails and sign-in pages, merged field by field. `null` removes all of them.',
    nullable: true,
  })
  branding?: BrandingRequest | null;

  @ObjectField(() => SettingsRequest, {
    description: 'Settings that override the inherited settings, merged field by field. `null` removes an override.',
  })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;

  @MetadataField({ description: 'Custom data, merged by top-level key. `null` removes a key.' })
  metadata?: Metadata;
}

export class ListOrganizationsQuery extends PageQuery {
  @ExactTextField({
    description: 'Only child organizations of this organization, by id or slug. Use `null` for root organizations.',
    maxLength: 63,
  })
  parentId?: string;

  @BooleanQuery({
    description:
      'Whether to return only the topmost organizations that the caller has access to, without their descendants. For the child organizations of one of them, use `parentId`.',
    default: false,
  })
  topmost?: boolean;

  @ChoiceField({
    description:
      'Only organizations with this status. Without this filter, deleted organizations are not returned. With `deleted`, the list contains the organizations that can be restored, but not the descendants that were deleted in the same operation.',
    choices: STATUSES,
  })
  status?: OrganizationStatus | 'deleted';

  @ChoiceField({ description: 'Only organizations of this type.', choices: TYPES })
  type?: OrganizationType;

  @ExactTextField({
    description: 'Only organizations whose name or slug contains this text. Case and accents are ignored.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

export class SuspendOrganizationRequest {
  @TextField({ description: 'Reason for the suspension.', maxLength: 500, minLength: 0, example: 'Unpaid invoices' })
  reason?: string;
}

export class DeleteOrganizationQuery {
  @BooleanQuery({ description: 'Whether to also delete all descendant organizations.', default: false })
  cascade?: boolean;
}
