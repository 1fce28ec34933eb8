import type { OrganizationData } from '#platform/events';
import type { Organization } from './organization.entity.js';
import type { OrganizationSettings } from './settings/settings.js';

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
