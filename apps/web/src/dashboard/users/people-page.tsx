import { useQuery } from '@tanstack/react-query';
import { useOrganizationId } from '../organization';
import { covers, permissionsQuery } from '../permissions';
import { MembersList } from './members-list';
import { UsersList } from './users-list';

/** The people of an organization: all users, or only the members for callers who can't read users. */
export function PeoplePage() {
  const { data: permissions } = useQuery(permissionsQuery(useOrganizationId()));
  if (!permissions) return null;
  return covers(permissions, 'members:read') && !covers(permissions, 'users:read') ? <MembersList /> : <UsersList />;
}
