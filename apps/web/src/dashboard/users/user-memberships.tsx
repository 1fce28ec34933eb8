import { Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { FlowchartIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { ScrollTable } from '../../ui/scroll-table';
import { withAsOf } from '../as-of/as-of-search';
import { useAsOf } from '../as-of/use-as-of';
import { useHasPermission } from '../permissions';
import { useMemberRemoval } from './use-member-removal';
import { nameOf, type User } from './user-queries';

export function UserMemberships({ org, user }: { org: string; user: User }) {
  const { asOf } = useAsOf();
  const canRemove = useHasPermission('members:write') && user.status !== 'deleted' && asOf === undefined;
  const confirmRemoval = useMemberRemoval(org);
  const remove = () => confirmRemoval({ userId: user.id, name: nameOf(user) });
  if (user.organizations.length === 0)
    return (
      <Paper withBorder>
        <EmptyState icon={FlowchartIcon} title={t('users.memberships.empty')}>
          {t('users.memberships.emptyText')}
        </EmptyState>
      </Paper>
    );
  return (
    <Stack gap="sm" maw={900}>
      <Title order={2}>{t('users.memberships.title')}</Title>
      <Text c="dimmed" size="sm">
        {t('users.memberships.text')}
      </Text>
      <ScrollTable label={t('users.memberships.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('users.memberships.organization')}</Table.Th>
            <Table.Th style={{ whiteSpace: 'nowrap' }}>{t('users.memberships.role')}</Table.Th>
            <Table.Th ta="end">{t('common.actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {user.organizations.map((membership) => (
            <MembershipRow
              key={membership.id}
              org={org}
              userId={user.id}
              membership={membership}
              removal={canRemove ? { label: t('members.removeLabel', { name: nameOf(user) }), onClick: remove } : undefined}
            />
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Stack>
  );
}

interface RowProps {
  readonly org: string;
  readonly userId: string;
  readonly membership: User['organizations'][number];
  readonly removal: { readonly label: string; readonly onClick: () => void } | undefined;
}

function MembershipRow({ org, userId, membership: { id, name, role }, removal }: RowProps) {
  const { asOf } = useAsOf();
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor component={Link} to={`/dashboard/organizations/${id}`} size="sm" className="breakable">
            {name}
          </Anchor>
          {id === org && (
            <Text size="xs" c="dimmed">
              {t('users.memberships.thisOne')}
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>{roleName(role)}</Table.Td>
      <Table.Td ta="end">
        {id !== org && (
          <Anchor
            component={Link}
            to={withAsOf(`/dashboard/organizations/${id}/users/${userId}`, asOf)}
            size="sm"
            style={{ whiteSpace: 'nowrap' }}
          >
            {t('users.memberships.openThere')}
          </Anchor>
        )}
        {id === org && removal && (
          <Button variant="default" size="xs" onClick={removal.onClick} aria-label={removal.label}>
            {t('users.memberships.leave')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
