import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { type ChosenUser, UsersSelect } from '../users/user-select';
import { groupsKey, type UserGroup } from './group-queries';
import { dialogs } from '../../ui/dialogs';

export function openAddGroupMemberDialog(org: string, group: UserGroup): void {
  const dialogId = dialogs.open({
    title: t('groups.membership.add'),
    // The dropdown extends beyond the dialog.
    styles: { body: { overflow: 'visible' }, content: { overflow: 'visible' } },
    children: <AddGroupMemberForm org={org} group={group} onDone={() => dialogs.close(dialogId)} />,
  });
}

function AddGroupMemberForm({ org, group, onDone }: { org: string; group: UserGroup; onDone: () => void }) {
  const [users, setUsers] = useState<readonly ChosenUser[]>([]);
  const [isMissing, setMissing] = useState(false);
  const add = useApiMutation({
    mutationFn: (chosen: readonly ChosenUser[]) => {
      const params = { path: { org, id: group.id } };
      const body = { userIds: chosen.map(({ id }) => id) };
      return unwrap(api.POST('/v1/organizations/{org}/groups/{id}/members', { params, body })).then(({ data }) => data.added);
    },
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    successMessage: (added) => t('groups.membership.added', { count: added.length }),
    onSuccess: onDone,
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(users.length === 0);
        if (users.length > 0) add.mutate(users);
      }}
    >
      <Stack>
        <Text size="sm">{t('groups.membership.addText')}</Text>
        <UsersSelect
          org={org}
          value={users}
          onChange={setUsers}
          error={isMissing && users.length === 0 ? t('members.adding.userRequired') : undefined}
        />
        {add.error && <ErrorNotice error={add.error} />}
        <DialogButtons submitLabel={t('groups.membership.add')} isPending={add.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
