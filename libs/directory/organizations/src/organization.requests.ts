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
} from '#platform/http';
import type { Metadata } from '#platform/common';
import type { OrganizationStatus, OrganizationType } from './organization.entity.js';
import { LOCKED_SETTINGS_FIELD, type LockedSettings, SettingsRequest } from './settings/settings.requests.js';
import { SLUG_PATTERN } from './slug.js';

export const ORGANIZATION_TYPES = ['standard', 'enterprise'] as const;
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
      'URL of the logo. Emails load the logo from this URL. Sign-in pages load the logo from the service, which accepts PNG, JPEG, GIF and WebP images of up to 512 KB. `null` removes it.',
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
    description:
      'Readable identifier, unique in the whole service. In paths, you can use the slug instead of the id. By default, the service generates the slug from the name.',
    maxLength: 63,
    pattern: SLUG_PATTERN,
    patternMessage:
      'must have at most 63 lowercase letters, digits and hyphens, and must start and end with a letter or a digit.',
    example: 'acme',
  })
  slug?: string;

  @TextField({
    description: 'Description of the organization.',
    maxLength: 2000,
    multiline: true,
    example: 'Industrial equipment manufacturer',
  })
  description?: string;

  @TextField({
    description:
      'Id or slug of the parent organization. By default, a root organization is created, which requires a platform key.',
    maxLength: 63,
  })
  parentId?: string;

  @ChoiceField({ description: 'Type of the organization.', choices: ORGANIZATION_TYPES, default: 'standard' })
  type?: OrganizationType;

  @WebAddressField({
    description: 'URL of a logo for your own use. Emails and sign-in pages show `branding.logo` instead.',
    example: 'https://cdn.example.com/logo.svg',
  })
  logo?: string;

  @ObjectField(() => BrandingRequest, { description: 'Colors and images for emails and sign-in pages.' })
  branding?: BrandingRequest;

  @ObjectField(() => SettingsRequest, { description: 'Settings that override the inherited settings.' })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;

  @MetadataField({
    description: 'Your own custom data: a JSON object with at most 16 KB, 100 keys and 10 levels.',
    example: { plan: 'pro' },
  })
  metadata?: Metadata;
}

export class UpdateOrganizationRequest {
  @TextField({ description: 'Display name of the organization.', maxLength: 200, example: 'Acme Corporation' })
  name?: string;

  @TextField({
    description: 'Description of the organization. `null` removes it.',
    maxLength: 2000,
    multiline: true,
    nullable: true,
  })
  description?: string | null;

  @ChoiceField({ description: 'Type of the organization.', choices: ORGANIZATION_TYPES })
  type?: OrganizationType;

  @WebAddressField({
    description: 'URL of a logo for your own use. Emails and sign-in pages show `branding.logo` instead. `null` removes it.',
    nullable: true,
  })
  logo?: string | null;

  @ObjectField(() => BrandingRequest, {
    description:
      "Colors and images for emails and sign-in pages. Fields that you don't send stay unchanged. If `branding` is `null`, all its fields are removed.",
    nullable: true,
  })
  branding?: BrandingRequest | null;

  @ObjectField(() => SettingsRequest, {
    description:
      "Settings that override the inherited settings. Settings that you don't send stay unchanged. If a setting is `null`, its override is removed.",
  })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD, description: `${LOCKED_SETTINGS_FIELD.description} Replaces the previous list.` })
  lockedSettings?: LockedSettings;

  @MetadataField({
    description:
      "Your own custom data. Top-level keys that you don't send stay unchanged. A key with the value `null` is removed.",
  })
  metadata?: Metadata;
}

export class ListOrganizationsQuery extends PageQuery {
  @ExactTextField({
    description: 'Only child organizations of the organization with this id or slug. Use `null` for root organizations.',
    maxLength: 63,
  })
  parentId?: string;

  @BooleanQuery({
    description:
      'Whether to return only the topmost organizations that the caller has access to, without their descendants. To list the child organizations of a topmost organization, use `parentId`.',
    default: false,
  })
  topmost?: boolean;

  @ChoiceField({
    description:
      'Only organizations with this status. Without this filter, deleted organizations are not returned. With `deleted`, the list contains the deleted organizations that can be restored. Descendants that were deleted together with an organization are not listed.',
    choices: STATUSES,
  })
  status?: OrganizationStatus | 'deleted';

  @ChoiceField({ description: 'Only organizations of this type.', choices: ORGANIZATION_TYPES })
  type?: OrganizationType;

  @ExactTextField({
    description: 'Only organizations whose name or slug contains this text. Case and accents are ignored.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

export class SuspendOrganizationRequest {
  @TextField({
    description: 'Reason for the suspension.',
    maxLength: 500,
    multiline: true,
    minLength: 0,
    example: 'Unpaid invoices',
  })
  reason?: string;
}

export class DeleteOrganizationQuery {
  @BooleanQuery({ description: 'Whether to also delete all descendant organizations.', default: false })
  cascade?: boolean;
}
