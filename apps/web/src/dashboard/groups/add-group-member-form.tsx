import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { type ChosenUser, UserSelect } from '../users/user-select';
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
  const [user, setUser] = useState<ChosenUser | null>(null);
  const [isMissing, setMissing] = useState(false);
  const add = useApiMutation({
    mutationFn: ({ id, name }: ChosenUser) => {
      const params = { path: { org, id: group.id } };
      return unwrap(api.POST('/v1/organizations/{org}/groups/{id}/members', { params, body: { userIds: [id] } })).then(
        () => name,
      );
    },
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    successMessage: (name) => t('groups.membership.added', { name }),
    onSuccess: onDone,
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(user === null);
        if (user) add.mutate(user);
      }}
    >
      <Stack>
        <Text size="sm">{t('groups.membership.addText')}</Text>
        <UserSelect
          org={org}
          value={user}
          onChange={setUser}
          error={isMissing && !user ? t('members.adding.userRequired') : undefined}
        />
        {add.error && <ErrorNotice error={add.error} />}
        <DialogButtons submitLabel={t('groups.membership.add')} isPending={add.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
