import { Anchor, Stack, Text } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { ancestorsQuery } from '../organization';
import { OrganizationStatus } from './organization-status';

const column = createColumnHelper<Schema<'OrganizationListItemResponse'>>();
const columns = [
  column.accessor('name', {
    header: () => t('organizations.name'),
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={180}>
        <Anchor component={Link} to={`/dashboard/organizations/${original.id}`} className="breakable" fw={500}>
          {original.name}
        </Anchor>
        <AncestorPath organization={original} />
      </Stack>
    ),
  }),
  column.accessor('slug', { header: () => t('organizations.slug') }),
  column.accessor('status', {
    header: () => t('organizations.status'),
    cell: (cell) => <OrganizationStatus status={cell.getValue()} />,
  }),
  column.accessor('memberCount', {
    header: () => t('organizations.members'),
    cell: (cell) => t('common.total', { count: cell.getValue() }),
  }),
  column.accessor('createdAt', {
    header: () => t('organizations.createdAt'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
];

interface Props {
  readonly search: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Lists the organizations whose name or slug matches, with their ancestors. */
export function SearchResults({ search, page, onPage }: Props) {
  const query = useQuery({
    queryKey: ['organizations', 'search', search, page],
    queryFn: () => unwrap(api.GET('/v1/organizations', { params: { query: { search, page } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <DataTable
      label={t('organizations.title')}
      columns={columns}
      rowId={({ id }) => id}
      query={query}
      onPage={onPage}
      empty={
        <EmptyState icon={SearchIcon} title={t('organizations.nothingFoundTitle')}>
          {t('organizations.nothingFound', { words: search })}
        </EmptyState>
      }
    />
  );
}

function AncestorPath({ organization: { id, parentId } }: { organization: { id: string; parentId: string | null } }) {
  const { data = [] } = useQuery({ ...ancestorsQuery(id), enabled: parentId !== null });
  return (
    <Text size="xs" c="dimmed" className="breakable">
      {parentId === null ? t('organizations.topLevel') : data.map(({ name }) => name).join(' / ') || ' '}
    </Text>
  );
}
