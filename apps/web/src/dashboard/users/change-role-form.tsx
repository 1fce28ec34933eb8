import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useMembershipChange } from './use-membership-change';
import type { Member } from './member-columns';
import { RoleSelect } from './role-select';
import { rolesQuery } from './user-queries';
import { dialogs } from '../../ui/dialogs';

type ChangedMember = Pick<Member, 'userId' | 'displayName' | 'role'>;

export function openChangeRoleDialog(org: string, member: ChangedMember): void {
  const dialogId = dialogs.open({
    title: t('members.changeRoleTitle', { name: member.displayName }),
    // The dropdown extends beyond the dialog.
    styles: { body: { overflow: 'visible' }, content: { overflow: 'visible' } },
    children: <ChangeRoleForm org={org} member={member} onDone={() => dialogs.close(dialogId)} />,
  });
}

function ChangeRoleForm({ org, member, onDone }: { org: string; member: ChangedMember; onDone: () => void }) {
  const { data: roles = [] } = useQuery(rolesQuery(org));
  const currentRoleId = roles.find(({ name }) => name === member.role)?.id ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const change = useMembershipChange(org, (role) => t('members.roleChanged', { name: member.displayName, role }), onDone);
  const roleId = chosen ?? currentRoleId;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (roleId && roleId !== currentRoleId) change.mutate({ userId: member.userId, role: roleId });
      }}
    >
      <Stack>
        <Text size="sm">{t('members.changeRoleText')}</Text>
        <RoleSelect label={t('members.columns.role')} roles={roles} value={roleId} onChange={setChosen} />
        {change.error && <ErrorNotice error={change.error} />}
        <DialogButtons
          submitLabel={t('members.changeRole')}
          isPending={change.isPending}
          isDisabled={roleId === null || roleId === currentRoleId}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
