import { defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { SetupLink } from './setup-link.entity.js';

/** A setup link in the `data` of events. */
export interface SetupLinkData {
  id: string;
  organizationId: string;
  steps: string[];
  expiresAt: string;
  createdAt: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    setupLink: string;
  }
  interface ServicePermissions {
    'setup_links:read': string;
    'setup_links:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'setup_link.created': SetupLinkData;
    'setup_link.opened': SetupLinkData;
    'setup_link.revoked': SetupLinkData;
  }
}

defineIdPrefix('setupLink', 'sl');

defineApiSection(
  'Setup links',
  'Links with which a person without an account sets up domains, single sign-on and webhooks of an organization.',
);

definePermissions(
  {
    'setup_links:read': 'View setup links.',
    'setup_links:write': 'Create and revoke setup links.',
  },
  { admin: ['setup_links:*'], viewer: ['setup_links:read'] },
);

const EXAMPLE: SetupLinkData = {
  id: 'sl_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  steps: ['domain', 'sso'],
  expiresAt: '2026-01-22T09:00:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
};

defineEvents({
  'setup_link.created': { description: 'A setup link was created.', example: EXAMPLE },
  'setup_link.opened': {
    description:
      'A setup link was opened for the first time. What was set up with the link has events of its own, whose `actor` is the link.',
    example: EXAMPLE,
  },
  'setup_link.revoked': { description: 'A setup link was revoked.', example: EXAMPLE },
});

/** Returns the `data` of events about a setup link. */
export function setupLinkData({
  id,
  organizationId,
  steps,
  expiresAt,
  createdAt,
}: Pick<SetupLink, 'id' | 'organizationId' | 'steps' | 'expiresAt' | 'createdAt'>): SetupLinkData {
  return { id, organizationId, steps: [...steps], expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
}
