import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Metadata } from '#platform/common';
import type { ChildSummary, HierarchyNode, IdentityProviderSummary } from './organization-directory.query.js';
import type { Branding, Organization } from './organization.entity.js';
import { restorableUntil } from './restore-window.js';
import { SettingsResponse } from './settings/settings.responses.js';
import type { OrganizationSettings, SettingField } from './settings/settings.js';

const ID = { example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' };
const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };
const PARENT = {
  type: String,
  nullable: true,
  description: 'Id of the parent organization, or null for a root organization.',
  ...ID,
};

export class BrandingResponse {
  @ApiPropertyOptional({ description: 'Primary color as a hex value.', example: '#1a2b3c' }) primaryColor?: string;
  @ApiPropertyOptional({ description: 'URL of the logo.', format: 'uri', example: 'https://cdn.example.com/logo.svg' })
  logo?: string;
  @ApiPropertyOptional({ description: 'URL of the favicon.', format: 'uri', example: 'https://cdn.example.com/favicon.ico' })
  favicon?: string;
}

export class ChildResponse implements ChildSummary {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme Europe' }) name!: string;
  @ApiProperty({ type: 'integer', description: 'Number of members, without deleted users.', example: 12 }) memberCount!: number;
}

export class IdentityProviderSummaryResponse implements IdentityProviderSummary {
  @ApiProperty({ example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme SSO' }) name!: string;
  @ApiProperty({ description: 'Protocol of the identity provider.', example: 'oidc' }) type!: string;
  @ApiProperty({ description: 'Whether users can sign in with the identity provider.' }) enabled!: boolean;
}

export class OrganizationListItemResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
  @ApiProperty({ description: 'Readable identifier. In paths, you can use the slug instead of the id.', example: 'acme' })
  slug!: string;
  @ApiPropertyOptional({ example: 'Industrial equipment manufacturer' }) description?: string;
  @ApiProperty({ enum: ['standard', 'enterprise'] }) type!: string;
  @ApiProperty({
    enum: ['active', 'suspended', 'pending', 'deleted'],
    description:
      'Status of the organization itself. If an ancestor is suspended, the service treats the organization as suspended, even if its `status` is `active`. `pending`: the organization must be approved with a platform key. `deleted`: the organization was deleted and can still be restored.',
    example: 'active',
  })
  status!: string;
  @ApiProperty(PARENT) parentId!: string | null;
  @ApiProperty({ type: SettingsResponse, description: 'Effective settings, including inherited settings.' })
  settings!: SettingsResponse;
  @ApiPropertyOptional({
    type: [String],
    description: 'Settings that descendant organizations cannot override. Absent if there are none.',
    example: ['requireMfa'],
  })
  lockedSettings?: string[];
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Your own custom data.', example: { plan: 'pro' } })
  metadata!: Metadata;
  @ApiProperty({ type: 'integer', description: 'Exact number of members, without deleted users.', example: 42 })
  memberCount!: number;
  @ApiPropertyOptional({
    description:
      'Whether the organization has child organizations. Present only in a list, and only if the request has the parameter `parentId` or `topmost`.',
    example: true,
  })
  hasChildren?: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the deletion. Present only while the organization is deleted.' })
  deletedAt?: string;
  @ApiPropertyOptional({
    ...TIME,
    description: 'Time until which the organization can be restored. Present only while the organization is deleted.',
    example: '2026-02-14T09:00:00.000Z',
  })
  restorableUntil?: string;

  static from(
    organization: Organization,
    settings: OrganizationSettings,
    memberCount: number,
    hasChildren?: boolean,
  ): OrganizationListItemResponse {
    const { id, name, slug, description, type, parentId, lockedSettings, metadata } = organization;
    const { createdAt, updatedAt, deletedAt } = organization;
    const status = deletedAt ? 'deleted' : organization.status;
    return {
      id,
      name,
      slug,
      ...(description === null ? {} : { description }),
      type,
      status,
      parentId,
      settings,
      ...(lockedSettings.length > 0 ? { lockedSettings } : {}),
      metadata,
      memberCount,
      ...(hasChildren === undefined ? {} : { hasChildren }),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ...(deletedAt ? { deletedAt: deletedAt.toISOString(), restorableUntil: restorableUntil(deletedAt).toISOString() } : {}),
    };
  }
}

export class OrganizationResponse extends OrganizationListItemResponse {
  @ApiPropertyOptional({ ...TIME, description: 'Time of the suspension. Present only while the organization is suspended.' })
  suspendedAt?: string;
  @ApiPropertyOptional({
    description: 'Reason for the suspension; can be empty. Present only while the organization is suspended.',
    example: 'Unpaid invoices',
  })
  suspendedReason?: string;
  @ApiPropertyOptional({
    description: 'URL of a logo for your own use. Emails and sign-in pages show `branding.logo` instead.',
    format: 'uri',
    example: 'https://cdn.example.com/logo.svg',
  })
  logo?: string;
  @ApiProperty({ type: BrandingResponse }) branding!: Branding;
  @ApiProperty({ type: [ChildResponse], description: 'Child organizations, oldest first.' }) children!: ChildResponse[];
  @ApiProperty({ type: [IdentityProviderSummaryResponse], description: 'Identity providers of the organization itself.' })
  identityProviders!: IdentityProviderSummaryResponse[];

  static fromDetails(
    organization: Organization,
    settings: OrganizationSettings,
    memberCount: number,
    children: ChildSummary[],
    identityProviders: IdentityProviderSummary[],
  ): OrganizationResponse {
    return {
      ...OrganizationListItemResponse.from(organization, settings, memberCount),
      ...suspensionOf(organization),
      ...(organization.logo === null ? {} : { logo: organization.logo }),
      branding: organization.branding ?? {},
      children,
      identityProviders,
    };
  }
}

export class CreatedOrganizationResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
  @ApiProperty({ description: 'Readable identifier. In paths, you can use the slug instead of the id.', example: 'acme' })
  slug!: string;
  @ApiProperty(PARENT) parentId!: string | null;
  @ApiProperty({
    enum: ['active', 'pending'],
    description:
      '`pending`: the organization must be approved with a platform key before it can be used. `active`: no approval is needed.',
  })
  status!: string;
  @ApiProperty({ type: 'integer', description: 'Number of members, which is 0 for a new organization.', example: 0 })
  memberCount!: number;
  @ApiProperty(TIME) createdAt!: string;

  static from({ id, name, slug, parentId, status, createdAt }: Organization): CreatedOrganizationResponse {
    return { id, name, slug, parentId, status, memberCount: 0, createdAt: createdAt.toISOString() };
  }
}

/** The fields that the request contains, with their new values. */
export class UpdatedOrganizationResponse {
  @ApiProperty(ID) id!: string;
  @ApiPropertyOptional({ example: 'Acme Inc.' }) name?: string;
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Industrial equipment manufacturer' }) description?:
    | string
    | null;
  @ApiPropertyOptional({ enum: ['standard', 'enterprise'] }) type?: string;
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'URL of a logo for your own use. Emails and sign-in pages show `branding.logo` instead.',
    example: 'https://cdn.example.com/logo.svg',
  })
  logo?: string | null;
  @ApiPropertyOptional({ type: BrandingResponse }) branding?: Branding;
  @ApiPropertyOptional({ type: SettingsResponse }) settings?: SettingsResponse;
  @ApiPropertyOptional({
    type: [String],
    description: 'Settings that descendant organizations cannot override.',
    example: ['requireMfa'],
  })
  lockedSettings?: SettingField[];
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Your own custom data.',
    example: { plan: 'pro' },
  })
  metadata?: Metadata;
  @ApiProperty(TIME) updatedAt!: string;

  static from(organization: Organization, settings: OrganizationSettings, sent: object): UpdatedOrganizationResponse {
    const { name, description, type, logo, branding, lockedSettings, metadata } = organization;
    const fields = { name, description, type, logo, branding: branding ?? {}, settings, lockedSettings, metadata };
    const sentFields = Object.fromEntries(
      Object.entries(fields).filter(([field]) => (sent as Record<string, unknown>)[field] !== undefined),
    );
    return { id: organization.id, ...sentFields, updatedAt: organization.updatedAt.toISOString() };
  }
}

export class OrganizationStatusResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ enum: ['active', 'suspended', 'pending'] }) status!: string;
  @ApiPropertyOptional({ ...TIME, description: 'Time of the suspension. Present only while the organization is suspended.' })
  suspendedAt?: string;
  @ApiPropertyOptional({
    description: 'Reason for the suspension; can be empty. Present only while the organization is suspended.',
    example: 'Unpaid invoices',
  })
  suspendedReason?: string;
  @ApiProperty(TIME) updatedAt!: string;

  static from(organization: Organization): OrganizationStatusResponse {
    const { id, status, updatedAt } = organization;
    return {
      id,
      status,
      ...suspensionOf(organization),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class HierarchyNodeResponse implements HierarchyNode {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Number of members, without deleted users. Absent for the organization in the path.',
    example: 12,
  })
  memberCount?: number;
  @ApiProperty({ type: () => [HierarchyNodeResponse], description: 'Child organizations. Empty if there are none.' })
  children!: HierarchyNodeResponse[];
}

const suspensionOf = ({ suspendedAt, suspendedReason }: Organization) =>
  suspendedAt ? { suspendedAt: suspendedAt.toISOString(), suspendedReason: suspendedReason ?? '' } : {};
