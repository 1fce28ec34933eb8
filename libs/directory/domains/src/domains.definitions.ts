import { defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { Domain } from './domain.entity.js';

/** A domain in the `data` of events. */
export interface DomainData {
  id: string;
  organizationId: string;
  name: string;
  status: string;
  createdAt: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    domain: string;
  }
  interface ServicePermissions {
    'domains:read': string;
    'domains:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'domain.created': DomainData;
    'domain.verified': DomainData;
    'domain.verification_failed': DomainData;
    'domain.deleted': DomainData;
  }
}

defineIdPrefix('domain', 'dmn');

defineApiSection('Domains', 'Domains of an organization.');

definePermissions(
  {
    'domains:read': 'View domains.',
    'domains:write': 'Add, verify and delete domains.',
  },
  { admin: ['domains:*'], viewer: ['domains:read'] },
);

const EXAMPLE: DomainData = {
  id: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  name: 'example.com',
  status: 'verified',
  createdAt: '2026-01-15T09:00:00.000Z',
};

defineEvents({
  'domain.created': { description: 'A domain was added.', example: { ...EXAMPLE, status: 'pending' } },
  'domain.verified': { description: 'A domain was verified with its DNS record.', example: EXAMPLE },
  'domain.verification_failed': {
    description: 'The DNS record of a verified domain was missing for three days. Another organization can verify the domain.',
    example: { ...EXAMPLE, status: 'failed' },
  },
  'domain.deleted': { description: 'A domain was deleted.', example: EXAMPLE },
});

/** Returns the `data` of events about a domain. */
export function domainData({ id, organizationId, name, status, createdAt }: Domain): DomainData {
  return {
    id,
    organizationId,
    name,
    status,
    createdAt: createdAt.toISOString(),
  };
}
