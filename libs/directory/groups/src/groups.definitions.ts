import { type Changes, defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { Group } from './group.entity.js';

/** A group in the `data` of events. */
export interface GroupData {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    group: string;
  }
  interface ServicePermissions {
    'groups:read': string;
    'groups:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'group.created': GroupData;
    'group.updated': GroupData & { changes: Changes };
    'group.deleted': GroupData;
  }
}

defineIdPrefix('group', 'grp');

defineApiSection('Groups', 'Groups of an organization.');

definePermissions(
  {
    'groups:read': 'View groups.',
    'groups:write': 'Create, update and delete groups.',
  },
  { admin: ['groups:*'], viewer: ['groups:read'] },
);

const EXAMPLE: GroupData = {
  id: 'grp_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  name: 'First',
  description: 'The first of its kind',
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T10:00:00.000Z',
};

defineEvents({
  'group.created': { description: 'A group was created.', example: EXAMPLE },
  'group.updated': {
    description: 'A group was updated. `changes` contains the previous and the new value of each changed field.',
    example: { ...EXAMPLE, changes: { name: { from: 'One', to: 'First' } } },
  },
  'group.deleted': { description: 'A group was deleted.', example: EXAMPLE },
});

/** Returns the `data` of events about a group. */
export function groupData(group: Group): GroupData {
  const { id, organizationId, name, description, createdAt, updatedAt } = group;
  return { id, organizationId, name, description, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
