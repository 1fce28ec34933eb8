import { Menu } from '@mantine/core';
import { t } from '../../texts';
import { RowMenu } from '../../ui/row-menu';
import { useHasPermission } from '../permissions';
import { openChangeRoleDialog } from './change-role-form';
import { useMemberRemoval } from './use-member-removal';
import { type ListedUser, nameOf } from './user-queries';

/** The actions on the membership of a user. Renders nothing for a user who is not a member. */
export function MemberMenu({ org, user }: { org: string; user: ListedUser }) {
  const canReadRoles = useHasPermission('roles:read');
  const confirmRemoval = useMemberRemoval(org);
  const [role] = user.roles;
  if (!role || user.status === 'deleted') return null;
  const name = nameOf(user);
  return (
    <RowMenu label={t('users.actionsOf', { name })}>
      {canReadRoles && (
        <Menu.Item onClick={() => openChangeRoleDialog(org, { userId: user.id, displayName: name, role: role.name })}>
          {t('members.changeRole')}
        </Menu.Item>
      )}
      <Menu.Item c="var(--mantine-color-error)" onClick={() => confirmRemoval({ userId: user.id, name })}>
        {t('members.removeFromOrganization')}
      </Menu.Item>
    </RowMenu>
  );
}
