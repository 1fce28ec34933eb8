import type { Changes } from '#platform/common';
import * as example from '../catalog-examples.js';
import type { RoleAssignmentData, RoleData } from '../event-data.js';
import { event } from './event-definition.js';

export const ROLE_EVENTS = {
  'role.created': event<RoleData>('A role was created.', example.role),
  'role.updated': event<RoleData & { changes: Changes }>(
    'A role was updated. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.role,
      changes: { permissions: { from: ['invoices:read'], to: ['invoices:read', 'invoices:write'] } },
    },
  ),
  'role.deleted': event<RoleData & { reassignedTo: { id: string; name: string } | null }>(
    'A role was deleted. `reassignedTo` is the role that replaces the deleted role, or null if the deleted role was not in use.',
    { ...example.role, reassignedTo: { id: 'role_viewer', name: 'viewer' } },
  ),
  'role.assigned': event<RoleAssignmentData>(
    'A role was assigned to a user. Also published when break-glass access is approved.',
    example.roleAssignment,
  ),
  'role.revoked': event<RoleAssignmentData>(
    'A role was revoked from a user. Also published when break-glass access ends.',
    example.roleAssignment,
  ),
} as const;
