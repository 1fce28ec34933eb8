import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { RoleSelect } from '../users/role-select';
import { rolesQuery } from '../users/user-queries';
import { groupsKey, type UserGroup } from './group-queries';
import { dialogs } from '../../ui/dialogs';

/** A group can't have this role. */
const OWNER_ROLE_ID = 'role_owner';

/** Opens the dialog that assigns a role to a group. `without` are the ids of the roles that the group has. */
export function openAssignRoleDialog(org: string, group: UserGroup, without: readonly string[]): void {
  const dialogId = dialogs.open({
    title: t('groups.roles.add'),
    // The dropdown extends beyond the dialog.
    styles: { body: { overflow: 'visible' }, content: { overflow: 'visible' } },
    children: <AssignRoleForm org={org} group={group} without={without} onDone={() => dialogs.close(dialogId)} />,
  });
}

interface Props {
  readonly org: string;
  readonly group: UserGroup;
  readonly without: readonly string[];
  readonly onDone: () => void;
}

function AssignRoleForm({ org, group, without, onDone }: Props) {
  const [roleId, setRoleId] = useState<string | null>(null);
  const { data: roles = [] } = useQuery(rolesQuery(org));
  const assign = useApiMutation({
    mutationFn: async (id: string) => {
      const params = { path: { org, id: group.id } };
      return (await unwrap(api.POST('/v1/organizations/{org}/groups/{id}/roles', { params, body: { roleId: id } }))).data
        .roleName;
    },
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    successMessage: (role) => t('groups.roles.added', { role: roleName(role) }),
    onSuccess: onDone,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (roleId) assign.mutate(roleId);
      }}
    >
      <Stack>
        <Text size="sm">{t('groups.roles.addText', { count: group.memberCount })}</Text>
        <RoleSelect
          label={t('groups.roles.role')}
          roles={roles.filter(({ id }) => id !== OWNER_ROLE_ID && !without.includes(id))}
          value={roleId}
          onChange={setRoleId}
          emptyText={t('groups.roles.noneLeft')}
        />
        {assign.error && <ErrorNotice error={assign.error} />}
        <DialogButtons
          submitLabel={t('groups.roles.add')}
          isPending={assign.isPending}
          isDisabled={roleId === null}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
