import { Anchor, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { ScrollTable } from '../../ui/scroll-table';
import { useApiMutation } from '../../ui/use-api-mutation';
import { PermissionSummary } from '../access/permission-summary';
import { useHasPermissions } from '../permissions';
import { openAssignRoleDialog } from './assign-role-form';
import { groupRolesQuery, groupsKey, type UserGroup } from './group-queries';

type GroupRole = Schema<'GroupRoleResponse'>;

/** The permissions to give roles to the members of a group. */
export const ROLE_PERMISSIONS = ['groups:write', 'members:write'];

export function GroupRoles({ org, group }: { org: string; group: UserGroup }) {
  const canAssign = useHasPermissions([...ROLE_PERMISSIONS, 'roles:read']);
  const query = useQuery(groupRolesQuery(org, group.id));
  return (
    <Stack gap="sm" maw={900}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Title order={2}>{t('groups.roles.title')}</Title>
          <Text c="dimmed" size="sm">
            {t('groups.roles.text')}
          </Text>
        </Stack>
        {canAssign && query.data && (
          <Button
            variant="default"
            leftSection={<PlusIcon size={16} />}
            onClick={() =>
              openAssignRoleDialog(
                org,
                group,
                query.data.map(({ roleId }) => roleId),
              )
            }
          >
            {t('groups.roles.add')}
          </Button>
        )}
      </Group>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={80} />}
      {query.data?.length === 0 && <Text size="sm">{t('groups.roles.none')}</Text>}
      {query.data && query.data.length > 0 && <RoleTable org={org} group={group} roles={query.data} />}
    </Stack>
  );
}

function RoleTable({ org, group, roles }: { org: string; group: UserGroup; roles: readonly GroupRole[] }) {
  const canRevoke = useHasPermissions(ROLE_PERMISSIONS);
  const revoke = useApiMutation({
    mutationFn: ({ roleId, roleName: name }: GroupRole) => {
      const params = { path: { org, id: group.id, roleId } };
      return unwrap(api.DELETE('/v1/organizations/{org}/groups/{id}/roles/{roleId}', { params })).then(() => roleName(name));
    },
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    successMessage: (role) => t('groups.roles.removed', { role }),
  });
  const openConfirmation = (role: GroupRole) =>
    confirm({
      title: t('groups.roles.removeTitle', { role: roleName(role.roleName), name: group.name }),
      consequences: t('groups.roles.removeText'),
      confirmLabel: t('groups.roles.revoke'),
      isDangerous: true,
      action: () => revoke.mutateAsync(role),
    });
  return (
    <ScrollTable label={t('groups.roles.title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('groups.roles.role')}</Table.Th>
          <Table.Th>{t('groups.roles.permissions')}</Table.Th>
          <Table.Th>{t('groups.roles.assignedAt')}</Table.Th>
          {canRevoke && <Table.Th ta="end">{t('common.actions')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {roles.map((role) => (
          <RoleRow key={role.roleId} org={org} role={role} onRevoke={canRevoke ? () => openConfirmation(role) : undefined} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function RoleRow({ org, role, onRevoke }: { org: string; role: GroupRole; onRevoke: (() => void) | undefined }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          to={`/dashboard/organizations/${org}/roles/${role.roleId}`}
          size="sm"
          fw={500}
          className="breakable"
        >
          {roleName(role.roleName)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <PermissionSummary permissions={role.permissions} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={role.assignedAt} />
      </Table.Td>
      {onRevoke && (
        <Table.Td ta="end">
          <Button
            variant="default"
            size="xs"
            onClick={onRevoke}
            aria-label={t('groups.roles.remove', { role: roleName(role.roleName) })}
          >
            {t('groups.roles.revoke')}
          </Button>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
