import type { OrganizationScope } from '#platform/common';
import type { VisibleRole } from '#directory/roles';
import type { DirectoryUser } from './directory-user.js';

/** Returns the `data` of `role.assigned` and `role.revoked`. */
export const roleEventData = (organization: OrganizationScope, user: DirectoryUser, role: VisibleRole) => ({
  organization: { id: organization.id, name: organization.name },
  user: { id: user.id, email: user.email },
  role: { id: role.id, name: role.name },
});
