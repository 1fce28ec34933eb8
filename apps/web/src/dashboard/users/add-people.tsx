import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon, PersonAddIcon } from '@primer/octicons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { t } from '../../texts';
import { useHasPermission } from '../permissions';
import { openAddMemberDialog } from './add-member-form';
import { openInviteDialog } from './bulk/invite-dialog';
import { openCreateUserDialog } from './create-user-form';

/** The ways to add people to an organization. */
export function AddPeople({ org }: { org: string }) {
  const navigate = useNavigate();
  const canWrite = useHasPermission('users:write');
  const canAddMembers = useHasPermission('members:write');
  if (!canWrite && !canAddMembers) return null;
  const create = () =>
    openCreateUserDialog({ org, onCreated: (id) => void navigate({ to: `/dashboard/organizations/${org}/users/${id}` }) });
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button leftSection={<PersonAddIcon size={18} />} rightSection={<ChevronDownIcon size={16} />}>
          {t('users.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {canWrite && <Menu.Item onClick={create}>{t('users.create')}</Menu.Item>}
        {canWrite && <Menu.Item onClick={() => openInviteDialog(org)}>{t('users.invite.menu')}</Menu.Item>}
        {canAddMembers && <Menu.Item onClick={() => openAddMemberDialog(org)}>{t('users.addFromElsewhere')}</Menu.Item>}
        {canWrite && (
          <Menu.Item component={Link} to={`/dashboard/organizations/${org}/users/import`}>
            {t('users.import')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
