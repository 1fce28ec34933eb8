import { mergeMetadata, newId, type OrganizationScope, searchKey } from '#platform/common';
import { type Branding, Organization, type OrganizationStatus } from './organization.entity.js';
import type { BrandingRequest, CreateOrganizationRequest, UpdateOrganizationRequest } from './organization.requests.js';
import { slugFrom } from './slug.js';

/** Returns a new organization without the settings of the request. Does not save the organization. */
export function newOrganization(
  request: CreateOrganizationRequest,
  parent: OrganizationScope | undefined,
  status: OrganizationStatus,
  now: Date,
): Organization {
  const id = newId('organization');
  return Object.assign(new Organization(), {
    id,
    tenantId: parent?.tenantId ?? id,
    parentId: parent?.id ?? null,
    ancestorIds: parent ? [...parent.ancestorIds, parent.id] : [],
    name: request.name,
    slug: request.slug ?? slugFrom(request.name),
    description: request.description ?? null,
    type: request.type ?? 'standard',
    status,
    logo: request.logo ?? null,
    branding: mergeBranding(null, request.branding ?? {}),
    metadata: mergeMetadata({}, request.metadata ?? {}),
    settingsOverrides: {},
    lockedSettings: request.lockedSettings ?? [],
    searchText: '',
    suspendedAt: null,
    suspendedReason: null,
    suspendedBy: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    deletedSeq: null,
    deletionRootId: null,
    version: 1,
  } satisfies Organization);
}

/** Copies the fields of a request, except the settings, to an organization. Does not save the organization. */
export function applyFields(organization: Organization, request: UpdateOrganizationRequest): void {
  organization.name = request.name ?? organization.name;
  organization.type = request.type ?? organization.type;
  organization.lockedSettings = request.lockedSettings ?? organization.lockedSettings;
  if (request.description !== undefined) organization.description = request.description;
  if (request.logo !== undefined) organization.logo = request.logo;
  if (request.branding !== undefined)
    organization.branding = request.branding && mergeBranding(organization.branding, request.branding);
  if (request.metadata) organization.metadata = mergeMetadata(organization.metadata, request.metadata);
  organization.searchText = searchTextOf(organization);
}

export const searchTextOf = (organization: Organization): string => searchKey(`${organization.name} ${organization.slug}`);

function mergeBranding(current: Branding | null, patch: BrandingRequest): Branding | null {
  const merged: Record<string, string> = { ...current };
  for (const [field, value] of Object.entries(patch) as [string, string | null | undefined][]) {
    if (value === null) delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  return Object.keys(merged).length > 0 ? merged : null;
}
