import { Alert, Anchor, Badge, Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ScrollTable } from '../../ui/scroll-table';
import { useApiMutation } from '../../ui/use-api-mutation';
import { withAsOf } from '../as-of/as-of-search';
import { useAsOf } from '../as-of/use-as-of';
import { useHasPermission } from '../permissions';
import { AddRole } from './add-role';
import { UserGroups } from './user-groups';
import { membersKey, type User, userKey, usersKey } from './user-queries';

/** The events that change which roles a user has. */
const ROLE_CHANGES = [
  'role.assigned',
  'role.revoked',
  'organization.member_added',
  'organization.member_removed',
  'group.member_added',
  'group.member_removed',
].join();

/** Manages the roles of a user in this organization and links to the roles in other organizations. */
export function UserRoles({ org, user }: { org: string; user: User }) {
  const { asOf } = useAsOf();
  const canAssign = useHasPermission('members:write') && user.status !== 'deleted' && asOf === undefined;
  const canReadRoles = useHasPermission('roles:read');
  const canReadEvents = useHasPermission('events:read');
  const canReadGroups = useHasPermission('groups:read') && user.status !== 'deleted';
  const otherOrganizations = user.organizations.filter(({ id }) => id !== org);
  return (
    <Stack gap="xl" maw={900}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={2}>
            <Title order={2}>{t('users.roles.here')}</Title>
            <Text c="dimmed" size="sm">
              {t('users.roles.hereText')}
            </Text>
          </Stack>
          <Group>
            {canReadEvents && (
              <Anchor
                component={Link}
                to={`/dashboard/organizations/${org}/events?userId=${user.id}&type=${ROLE_CHANGES}`}
                size="sm"
              >
                {t('users.roles.history')}
              </Anchor>
            )}
            {canAssign && canReadRoles && user.roles.length > 0 && <AddRole org={org} user={user} />}
          </Group>
        </Group>
        {user.roles.length === 0 ? <NoRoles org={org} /> : <RoleTable org={org} user={user} canAssign={canAssign} />}
      </Stack>
      {canReadGroups && <UserGroups org={org} userId={user.id} />}
      {otherOrganizations.length > 0 && <RolesInOtherOrganizations userId={user.id} organizations={otherOrganizations} />}
    </Stack>
  );
}

function NoRoles({ org }: { org: string }) {
  const { asOf } = useAsOf();
  if (asOf !== undefined) return <Alert color="gray">{t('users.roles.none')}</Alert>;
  return (
    <Alert color="gray">
      {t('users.roles.none')} {t('users.roles.noneAdvice')}{' '}
      <Anchor component={Link} to={`/dashboard/organizations/${org}/users`} size="sm">
        {t('users.roles.toMembers')}
      </Anchor>
    </Alert>
  );
}

function RoleTable({ org, user, canAssign }: { org: string; user: User; canAssign: boolean }) {
  const remove = useApiMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      unwrap(
        api.DELETE('/v1/organizations/{org}/users/{id}/roles/{roleId}', { params: { path: { org, id: user.id, roleId: id } } }),
      ).then(() => name),
    invalidates: [userKey(org, user.id), usersKey(org), membersKey(org)],
    successMessage: (role) => t('users.roles.removed', { role: roleName(role) }),
  });
  const ofMembership = user.organizations.find(({ id }) => id === org)?.role;
  const openConfirmation = (role: User['roles'][number]) =>
    confirm({
      title: t('users.roles.removeTitle', { role: roleName(role.name) }),
      consequences: (
        <>
          {t('users.roles.removeText')} {role.name === ofMembership && t('users.roles.removeMembershipText')}
        </>
      ),
      confirmLabel: t('common.remove'),
      isDangerous: true,
      action: () => remove.mutateAsync(role),
    });
  return (
    <ScrollTable label={t('users.roles.here')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('users.roles.role')}</Table.Th>
          <Table.Th>{t('users.roles.permissions')}</Table.Th>
          {canAssign && <Table.Th ta="end">{t('common.actions')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {user.roles.map((role) => (
          <RoleRow
            key={role.id}
            role={role}
            isOfMembership={role.name === ofMembership}
            onRemove={canAssign ? () => openConfirmation(role) : undefined}
          />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

interface RoleRowProps {
  readonly role: User['roles'][number];
  readonly isOfMembership: boolean;
  readonly onRemove: (() => void) | undefined;
}

function RoleRow({ role, isOfMembership, onRemove }: RoleRowProps) {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Text fw={500} size="sm">
          {roleName(role.name)}
        </Text>
        {isOfMembership && (
          <Text size="xs" c="dimmed">
            {t('users.roles.membershipRole')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Permissions names={role.permissions} />
      </Table.Td>
      {onRemove && (
        <Table.Td ta="end">
          <Button
            variant="default"
            size="xs"
            onClick={onRemove}
            aria-label={t('users.roles.remove', { role: roleName(role.name) })}
          >
            {t('common.remove')}
          </Button>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Permissions({ names }: { names: readonly string[] }) {
  if (names.includes('*')) return <Text size="sm">{t('users.roles.everything')}</Text>;
  if (names.length === 0) return <Text size="sm">{t('common.none')}</Text>;
  return (
    <Group gap={4} miw={180}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
}

function RolesInOtherOrganizations({ userId, organizations }: { userId: string; organizations: User['organizations'] }) {
  const { asOf } = useAsOf();
  return (
    <Stack gap="sm">
      <Title order={2}>{t('users.roles.elsewhere')}</Title>
      <Text c="dimmed" size="sm">
        {t('users.roles.elsewhereText')}
      </Text>
      {organizations.map(({ id, name, role }) => (
        <Group key={id} gap="sm">
          <Anchor
            component={Link}
            to={withAsOf(`/dashboard/organizations/${id}/users/${userId}?tab=roles`, asOf)}
            size="sm"
            className="breakable"
          >
            {name}
          </Anchor>
          <Badge variant="default" tt="none" fw={500}>
            {roleName(role)}
          </Badge>
        </Group>
      ))}
    </Stack>
  );
}
