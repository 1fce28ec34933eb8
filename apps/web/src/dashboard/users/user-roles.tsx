import { Alert, Anchor, Badge, Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { texts } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ScrollTable } from '../../ui/scroll-table';
import { useChange } from '../../ui/use-change';
import { useMay } from '../permissions';
import { AddRole } from './add-role';
import { membersKey, type User, userKey, usersKey } from './user-queries';

const words = texts.users.roles;

/** The roles of a user here, and where else there are some. */
export function UserRoles({ org, user }: { org: string; user: User }) {
  const mayGive = useMay('members:write') && user.status !== 'deleted';
  const mayReadRoles = useMay('roles:read');
  const elsewhere = user.organizations.filter(({ id }) => id !== org);
  return (
    <Stack gap="xl" maw={900}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={2}>
            <Title order={2}>{words.here}</Title>
            <Text c="dimmed" size="sm">
              {words.hereText}
            </Text>
          </Stack>
          {mayGive && mayReadRoles && user.roles.length > 0 && <AddRole org={org} user={user} />}
        </Group>
        {user.roles.length === 0 ? <NoRoles org={org} /> : <RoleTable org={org} user={user} mayGive={mayGive} />}
      </Stack>
      {elsewhere.length > 0 && <RolesElsewhere userId={user.id} organizations={elsewhere} />}
    </Stack>
  );
}

function NoRoles({ org }: { org: string }) {
  return (
    <Alert color="gray">
      {words.none} {words.noneAdvice}{' '}
      <Anchor component={Link} to={`/dashboard/organizations/${org}/members`} size="sm">
        {words.toMembers}
      </Anchor>
    </Alert>
  );
}

function RoleTable({ org, user, mayGive }: { org: string; user: User; mayGive: boolean }) {
  const remove = useChange({
    run: ({ id, name }: { id: string; name: string }) =>
      answerOf(
        api.DELETE('/v1/organizations/{org}/users/{id}/roles/{roleId}', { params: { path: { org, id: user.id, roleId: id } } }),
      ).then(() => name),
    outdates: [userKey(org, user.id), usersKey(org), membersKey(org)],
    done: words.removed,
  });
  const ofMembership = user.organizations.find(({ id }) => id === org)?.role;
  const ask = (role: User['roles'][number]) =>
    confirm({
      title: words.removeTitle(role.name),
      consequences: (
        <>
          {words.removeText} {role.name === ofMembership && words.removeMembershipText}
        </>
      ),
      confirmLabel: texts.common.remove,
      isDangerous: true,
      action: () => remove.mutateAsync(role),
    });
  return (
    <ScrollTable label={words.here}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.role}</Table.Th>
          <Table.Th>{words.permissions}</Table.Th>
          {mayGive && <Table.Th ta="end">{texts.common.actions}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {user.roles.map((role) => (
          <Table.Tr key={role.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <Text fw={500} size="sm">
                {role.name}
              </Text>
              {role.name === ofMembership && (
                <Text size="xs" c="dimmed">
                  {words.membershipRole}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Permissions names={role.permissions} />
            </Table.Td>
            {mayGive && (
              <Table.Td ta="end">
                <Button variant="default" size="xs" onClick={() => ask(role)} aria-label={words.remove(role.name)}>
                  {texts.common.remove}
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function Permissions({ names }: { names: readonly string[] }) {
  if (names.includes('*')) return <Text size="sm">{words.everything}</Text>;
  if (names.length === 0) return <Text size="sm">{texts.common.none}</Text>;
  return (
    <Group gap={4} miw={180}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
}

function RolesElsewhere({ userId, organizations }: { userId: string; organizations: User['organizations'] }) {
  return (
    <Stack gap="sm">
      <Title order={2}>{words.elsewhere}</Title>
      <Text c="dimmed" size="sm">
        {words.elsewhereText}
      </Text>
      {organizations.map(({ id, name, role }) => (
        <Group key={id} gap="sm">
          <Anchor
            component={Link}
            to={`/dashboard/organizations/${id}/users/${userId}?tab=roles`}
            size="sm"
            className="breakable"
          >
            {name}
          </Anchor>
          <Badge variant="default" tt="none" fw={500}>
            {role}
          </Badge>
        </Group>
      ))}
    </Stack>
  );
}
