import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Metadata } from '#common';
import type { OrganizationData } from '#events';
import type { ChildSummary, HierarchyNode, IdentityProviderSummary } from './organization-directory.read.js';
import type { Branding, Organization } from './organization.entity.js';
import { RESTORE_WINDOW_MS } from './restore-window.js';
import { SettingsResponse } from './settings/settings.requests.js';
import type { OrganizationSettings, SettingField } from './settings/settings.js';

const ID = { example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' };
const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };
const PARENT = { type: String, nullable: true, description: 'The organization above; null for a top-level one.', ...ID };

export class BrandingResponse {
  @ApiPropertyOptional({ example: '#1a2b3c' }) primaryColor?: string;
  @ApiPropertyOptional({ format: 'uri', example: 'https://cdn.example.com/logo.svg' }) logo?: string;
  @ApiPropertyOptional({ format: 'uri', example: 'https://cdn.example.com/favicon.ico' }) favicon?: string;
}

export class ChildResponse implements ChildSummary {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme Europe' }) name!: string;
  @ApiProperty({ type: 'integer', example: 12 }) memberCount!: number;
}

export class IdentityProviderSummaryResponse implements IdentityProviderSummary {
  @ApiProperty({ example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Company login' }) name!: string;
  @ApiProperty({ example: 'oidc' }) type!: string;
  @ApiProperty() enabled!: boolean;
}

/** An organization as the list shows it. */
export class OrganizationListItemResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
  @ApiPropertyOptional({ example: 'Makers of everything' }) description?: string;
  @ApiProperty({ enum: ['standard', 'enterprise'] }) type!: string;
  @ApiProperty({ enum: ['active', 'suspended', 'pending', 'deleted'], example: 'active' }) status!: string;
  @ApiProperty(PARENT) parentId!: string | null;
  @ApiProperty({ type: SettingsResponse, description: 'Settings in force: inherited ones and its own.' })
  settings!: SettingsResponse;
  @ApiPropertyOptional({
    type: [String],
    description: 'Settings that organizations below may not override; absent when there are none.',
    example: ['requireMfa'],
  })
  lockedSettings?: string[];
  @ApiProperty({ type: 'object', additionalProperties: true, example: { plan: 'pro' } }) metadata!: Metadata;
  @ApiProperty({ type: 'integer', description: 'Members, exactly; deleted users do not count.', example: 42 })
  memberCount!: number;
  @ApiPropertyOptional({
    description: 'Whether there are organizations below it; where the list is asked for by place (`parentId`, `topmost`).',
    example: true,
  })
  hasChildren?: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) updatedAt!: string;
  @ApiPropertyOptional({ ...TIME, description: 'Only while deleted.' }) deletedAt?: string;
  @ApiPropertyOptional({ ...TIME, description: 'Only while deleted: until when it can be brought back.' })
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
      ...(deletedAt
        ? { deletedAt: deletedAt.toISOString(), restorableUntil: new Date(deletedAt.getTime() + RESTORE_WINDOW_MS).toISOString() }
        : {}),
    };
  }
}

/** An organization whole. */
export class OrganizationResponse extends OrganizationListItemResponse {
  @ApiPropertyOptional({ ...TIME, description: 'While it is suspended: since when.' }) suspendedAt?: string;
  @ApiPropertyOptional({ description: 'While it is suspended: why; may be empty.', example: 'Unpaid invoices' })
  suspendedReason?: string;
  @ApiPropertyOptional({ format: 'uri', example: 'https://cdn.example.com/logo.svg' }) logo?: string;
  @ApiProperty({ type: BrandingResponse }) branding!: Branding;
  @ApiProperty({ type: [ChildResponse], description: 'The organizations directly below.' }) children!: ChildResponse[];
  @ApiProperty({ type: [IdentityProviderSummaryResponse] }) identityProviders!: IdentityProviderSummaryResponse[];

  static whole(
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
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
  @ApiProperty(PARENT) parentId!: string | null;
  @ApiProperty({ enum: ['active', 'pending'] }) status!: string;
  @ApiProperty({ type: 'integer', example: 0 }) memberCount!: number;
  @ApiProperty(TIME) createdAt!: string;

  static from({ id, name, slug, parentId, status, createdAt }: Organization): CreatedOrganizationResponse {
    return { id, name, slug, parentId, status, memberCount: 0, createdAt: createdAt.toISOString() };
  }
}

/** The fields that were sent, as they are now. */
export class UpdatedOrganizationResponse {
  @ApiProperty(ID) id!: string;
  @ApiPropertyOptional({ example: 'Acme' }) name?: string;
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Makers of everything' }) description?: string | null;
  @ApiPropertyOptional({ enum: ['standard', 'enterprise'] }) type?: string;
  @ApiPropertyOptional({ type: String, nullable: true, example: 'https://cdn.example.com/logo.svg' }) logo?: string | null;
  @ApiPropertyOptional({ type: BrandingResponse }) branding?: Branding;
  @ApiPropertyOptional({ type: SettingsResponse }) settings?: SettingsResponse;
  @ApiPropertyOptional({ type: [String], example: ['requireMfa'] }) lockedSettings?: SettingField[];
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'pro' } }) metadata?: Metadata;
  @ApiProperty(TIME) updatedAt!: string;

  static from(organization: Organization, settings: OrganizationSettings, sent: object): UpdatedOrganizationResponse {
    const { name, description, type, logo, branding, lockedSettings, metadata } = organization;
    const shown = { name, description, type, logo, branding: branding ?? {}, settings, lockedSettings, metadata };
    const changed = Object.fromEntries(
      Object.entries(shown).filter(([field]) => (sent as Record<string, unknown>)[field] !== undefined),
    );
    return { id: organization.id, ...changed, updatedAt: organization.updatedAt.toISOString() };
  }
}

export class OrganizationStatusResponse {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ enum: ['active', 'suspended', 'pending'] }) status!: string;
  @ApiPropertyOptional(TIME) suspendedAt?: string;
  @ApiPropertyOptional({ example: 'Unpaid invoices' }) suspendedReason?: string;
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
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiPropertyOptional({ type: 'integer', description: 'Members; absent on the root.', example: 12 }) memberCount?: number;
  @ApiProperty({ type: () => [HierarchyNodeResponse], description: 'Empty for a leaf.' }) children!: HierarchyNodeResponse[];
}

const suspensionOf = ({ suspendedAt, suspendedReason }: Organization) =>
  suspendedAt ? { suspendedAt: suspendedAt.toISOString(), suspendedReason: suspendedReason ?? '' } : {};

/** An organization as events show it. */
export function organizationData(organization: Organization, settings: OrganizationSettings): OrganizationData {
  const { id, name, slug, description, logo, type, status, parentId, lockedSettings, branding, metadata, createdAt, updatedAt } =
    organization;
  return {
    id,
    name,
    slug,
    description,
    logo,
    type,
    status,
    parentId,
    settings,
    lockedSettings,
    branding,
    metadata,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
