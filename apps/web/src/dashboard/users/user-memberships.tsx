import { Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { texts } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { ScrollTable } from '../../ui/scroll-table';
import { useMay } from '../permissions';
import { useMemberRemoval } from './use-member-removal';
import { nameOf, type User } from './user-queries';

const words = texts.users.memberships;

/** The organizations that a user belongs to. */
export function UserMemberships({ org, user }: { org: string; user: User }) {
  const mayRemove = useMay('members:write') && user.status !== 'deleted';
  const askRemoval = useMemberRemoval(org);
  if (user.organizations.length === 0)
    return (
      <Paper withBorder>
        <EmptyState icon={IconSitemap} title={words.empty}>
          {words.emptyText}
        </EmptyState>
      </Paper>
    );
  return (
    <Stack gap="sm" maw={900}>
      <Title order={2}>{words.title}</Title>
      <Text c="dimmed" size="sm">
        {words.text}
      </Text>
      <ScrollTable label={words.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.organization}</Table.Th>
            <Table.Th style={{ whiteSpace: 'nowrap' }}>{words.role}</Table.Th>
            <Table.Th ta="end">{texts.common.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {user.organizations.map(({ id, name, role }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Group gap="xs">
                  <Anchor component={Link} to={`/dashboard/organizations/${id}`} size="sm" className="breakable">
                    {name}
                  </Anchor>
                  {id === org && (
                    <Text size="xs" c="dimmed">
                      {words.thisOne}
                    </Text>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>{role}</Table.Td>
              <Table.Td ta="end">
                {id !== org && (
                  <Anchor
                    component={Link}
                    to={`/dashboard/organizations/${id}/users/${user.id}`}
                    size="sm"
                    style={{ whiteSpace: 'nowrap' }}
                  >
                    {words.openThere}
                  </Anchor>
                )}
                {id === org && mayRemove && (
                  <Button
                    variant="default"
                    size="xs"
                    onClick={() => askRemoval({ userId: user.id, name: nameOf(user) })}
                    aria-label={texts.members.removeLabel(nameOf(user))}
                  >
                    {words.leave}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Stack>
  );
}
