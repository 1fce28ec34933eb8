import { Anchor, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { ScrollTable } from '../../ui/scroll-table';
import { useAsOf } from '../as-of/use-as-of';
import { groupsOfUserQuery } from '../groups/group-queries';

/** Shows the groups of a user in this organization, whose roles the user has. */
export function UserGroups({ org, userId }: { org: string; userId: string }) {
  const { asOf } = useAsOf();
  const { data, error, isPending, refetch } = useQuery(groupsOfUserQuery(org, userId, asOf));
  return (
    <Stack gap="sm">
      <Stack gap={2}>
        <Title order={2}>{t('users.groups.title')}</Title>
        <Text c="dimmed" size="sm">
          {t('users.groups.text')}
        </Text>
      </Stack>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton h={60} />}
      {data?.pagination.total === 0 && <Text size="sm">{t('users.groups.none')}</Text>}
      {data && data.pagination.total > 0 && (
        <ScrollTable label={t('users.groups.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('users.groups.group')}</Table.Th>
              <Table.Th>{t('groups.members')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ id, name, memberCount }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  {asOf === undefined ? (
                    <Anchor
                      component={Link}
                      to={`/dashboard/organizations/${org}/groups/${id}`}
                      size="sm"
                      fw={500}
                      className="breakable"
                    >
                      {name}
                    </Anchor>
                  ) : (
                    name
                  )}
                </Table.Td>
                <Table.Td>{t('common.total', { count: memberCount })}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
      {data?.pagination.hasMore && <Text size="sm">{t('users.groups.more', { total: data.pagination.total })}</Text>}
    </Stack>
  );
}
