import { Button, Group, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { RoleSelect } from './role-select';
import { membersKey, rolesQuery, type User, userKey, usersKey } from './user-queries';

export function AddRole({ org, user }: { org: string; user: User }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [roleId, setRoleId] = useState<string | null>(null);
  const { data: roles = [] } = useQuery(rolesQuery(org));
  const assignable = roles.filter(({ id }) => user.roles.every((held) => held.id !== id));
  const add = useRoleAssignment(org, user.id, () => {
    close();
    setRoleId(null);
  });
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => !next && close()}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button variant="default" leftSection={<PlusIcon size={16} />} onClick={toggle}>
          {t('users.roles.add')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('users.roles.add')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (roleId) add.mutate(roleId);
          }}
        >
          <Stack gap="sm">
            <RoleSelect
              label={t('users.roles.role')}
              roles={assignable}
              value={roleId}
              onChange={setRoleId}
              emptyText={t('users.roles.noneLeft')}
            />
            {add.error && <ErrorNotice error={add.error} />}
            <Group justify="flex-end">
              <Button type="submit" disabled={!roleId} loading={add.isPending}>
                {t('users.roles.addSubmit')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function useRoleAssignment(org: string, userId: string, onDone: () => void) {
  return useApiMutation({
    mutationFn: async (roleId: string) =>
      (
        await unwrap(
          api.POST('/v1/organizations/{org}/users/{id}/roles', { params: { path: { org, id: userId } }, body: { roleId } }),
        )
      ).data.roleName,
    invalidates: [userKey(org, userId), usersKey(org), membersKey(org)],
    successMessage: (role) => t('users.roles.added', { role: roleName(role) }),
    onSuccess: onDone,
  });
}
