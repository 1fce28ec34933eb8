import { type Changes, defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { Domain } from './domain.entity.js';

/** A domain in the `data` of events. */
export interface DomainData {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
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
    'domain.updated': DomainData & { changes: Changes };
    'domain.deleted': DomainData;
  }
}

defineIdPrefix('domain', 'dmn');

defineApiSection('Domains', 'Domains of an organization.');

definePermissions(
  {
    'domains:read': 'View domains.',
    'domains:write': 'Create, update and delete domains.',
  },
  { admin: ['domains:*'], viewer: ['domains:read'] },
);

const EXAMPLE: DomainData = {
  id: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  name: 'First',
  description: 'The first of its kind',
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T10:00:00.000Z',
};

defineEvents({
  'domain.created': { description: 'A domain was created.', example: EXAMPLE },
  'domain.updated': {
    description: 'A domain was updated. `changes` contains the previous and the new value of each changed field.',
    example: { ...EXAMPLE, changes: { name: { from: 'One', to: 'First' } } },
  },
  'domain.deleted': { description: 'A domain was deleted.', example: EXAMPLE },
});

/** Returns the `data` of events about a domain. */
export function domainData(domain: Domain): DomainData {
  const { id, organizationId, name, description, createdAt, updatedAt } = domain;
  return { id, organizationId, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
