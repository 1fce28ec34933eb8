import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { organizationQuery } from '../organization';
import { OrganizationSelect } from './organization-select';
import { RoleSelect } from './role-select';
import { useMembershipChange } from './use-membership-change';
import { rolesQuery } from './user-queries';
import { type ChosenUser, UserSelect } from './user-select';
import { dialogs } from '../../ui/dialogs';

export function openAddMemberDialog(org: string): void {
  const dialogId = dialogs.open({
    title: t('members.adding.title'),
    // The dropdowns extend beyond the dialog.
    styles: { body: { overflow: 'visible' }, content: { overflow: 'visible' } },
    children: <AddMemberForm org={org} onDone={() => dialogs.close(dialogId)} />,
  });
}

function AddMemberForm({ org, onDone }: { org: string; onDone: () => void }) {
  const { data: organization } = useQuery(organizationQuery(org));
  const [chosenOrg, setChosenOrg] = useState<string | null>(null);
  const [user, setUser] = useState<ChosenUser | null>(null);
  const [role, setRole] = useState<string | null>(null);
  const [notifies, setNotifies] = useState(false);
  const [isMissing, setMissing] = useState(false);
  // Without the permission to read roles, the member gets the default role.
  const { data: roles } = useQuery(rolesQuery(org));
  const add = useMembershipChange(
    org,
    (role) => t('members.adding.done', { name: user?.name ?? '', role: roleName(role) }),
    onDone,
  );
  const sourceOrg = chosenOrg ?? organization?.parentId ?? org;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(user === null);
        if (user) add.mutate({ userId: user.id, role: role ?? undefined, sendNotification: notifies });
      }}
    >
      <Stack>
        <Text size="sm">{t('members.adding.text')}</Text>
        <OrganizationSelect
          value={sourceOrg}
          onChange={(next) => {
            setChosenOrg(next);
            setUser(null);
          }}
        />
        <UserSelect
          key={sourceOrg}
          org={sourceOrg}
          value={user}
          onChange={setUser}
          error={isMissing && !user ? t('members.adding.userRequired') : undefined}
        />
        {roles && (
          <RoleSelect
            label={t('members.columns.role')}
            roles={roles}
            value={role}
            onChange={setRole}
            placeholder={t('members.adding.defaultRole')}
          />
        )}
        <Checkbox
          label={t('members.adding.notify')}
          checked={notifies}
          onChange={(event) => setNotifies(event.currentTarget.checked)}
        />
        {add.error && <ErrorNotice error={add.error} />}
        <DialogButtons submitLabel={t('members.adding.submit')} isPending={add.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
