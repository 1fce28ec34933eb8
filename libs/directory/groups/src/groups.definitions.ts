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
  /** Absent if the group has none. */
  externalId?: string;
  /** Id of the connection that provisions the group. Absent if none does. */
  managedBy?: string;
  createdAt: string;
  updatedAt: string;
}

interface GroupReference {
  organization: { id: string; name: string };
  group: { id: string; name: string };
}

interface GroupMemberData extends GroupReference {
  user: { id: string; email: string };
}

interface GroupRoleData extends GroupReference {
  role: { id: string; name: string };
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
    'group.member_added': GroupMemberData;
    'group.member_removed': GroupMemberData;
    'group.role_assigned': GroupRoleData;
    'group.role_revoked': GroupRoleData;
  }
}

defineIdPrefix('group', 'group');

defineApiSection('Groups', 'Groups of members of an organization. Roles of a group are roles of its members.');

definePermissions(
  {
    'groups:read': 'View groups, their members and their roles.',
    'groups:write': 'Create, update and delete groups, and change their members.',
  },
  { admin: ['groups:*'], viewer: ['groups:read'] },
);

const EXAMPLE: GroupData = {
  id: 'group_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  name: 'Engineering',
  description: 'Everybody who builds the product',
  externalId: 'dep-204',
  managedBy: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek',
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T10:00:00.000Z',
};

const OPTIONAL = ['externalId', 'managedBy'] as const;

const REFERENCE: GroupReference = {
  organization: { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', name: 'Acme' },
  group: { id: 'group_01kf2bav4hf7r8v2m5n9q1c3ek', name: 'Engineering' },
};
const USER = { id: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw', email: 'jane.doe@example.com' };
const ROLE = { id: 'role_admin', name: 'admin' };

defineEvents({
  'group.created': { description: 'A group was created.', example: EXAMPLE, optional: OPTIONAL },
  'group.updated': {
    description: 'A group was updated. `changes` contains the previous and the new value of each changed field.',
    example: { ...EXAMPLE, changes: { name: { from: 'Development', to: 'Engineering' } } },
    optional: OPTIONAL,
  },
  'group.deleted': {
    description:
      'A group was deleted. Its members lost the roles of the group. No `group.member_removed` and `group.role_revoked` are published.',
    example: EXAMPLE,
    optional: OPTIONAL,
  },
  'group.member_added': {
    description: 'A user was added to a group. The user has the roles of the group.',
    example: { ...REFERENCE, user: USER },
  },
  'group.member_removed': {
    description: 'A user was removed from a group, or from the organization and therefore from its groups.',
    example: { ...REFERENCE, user: USER },
  },
  'group.role_assigned': {
    description: 'A role was assigned to a group. All members of the group have the role.',
    example: { ...REFERENCE, role: ROLE },
  },
  'group.role_revoked': { description: 'A role was revoked from a group.', example: { ...REFERENCE, role: ROLE } },
});

/** Returns the `data` of events about a group. */
export function groupData(group: Group): GroupData {
  const { id, organizationId, name, description, externalId, managedBy, createdAt, updatedAt } = group;
  return {
    id,
    organizationId,
    name,
    description,
    ...(externalId === null ? {} : { externalId }),
    ...(managedBy === null ? {} : { managedBy }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Returns the organization and the group in the `data` of events about members and roles. */
export const groupReference = (
  organization: { id: string; name: string },
  group: Pick<Group, 'id' | 'name'>,
): GroupReference => ({
  organization: { id: organization.id, name: organization.name },
  group: { id: group.id, name: group.name },
});
