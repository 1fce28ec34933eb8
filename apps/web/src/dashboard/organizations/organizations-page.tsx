import { Anchor } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { texts } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { PageHeader } from '../../ui/page-header';
import { StatusBadge } from '../../ui/status-badge';

const words = texts.organizations;
const column = createColumnHelper<Schema<'OrganizationListItemResponse'>>();
const columns = [
  column.accessor('name', {
    header: words.name,
    cell: ({ row: { original } }) => (
      <Anchor component={Link} to={`/dashboard/organizations/${original.id}`}>
        {original.name}
      </Anchor>
    ),
  }),
  column.accessor('status', { header: words.status, cell: (cell) => <StatusBadge status={cell.getValue()} /> }),
  column.accessor('createdAt', { header: words.createdAt, cell: (cell) => <Moment at={cell.getValue()} /> }),
];

/** All organizations that whoever is signed in reaches. */
export function OrganizationsPage() {
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ['organizations', { page }],
    queryFn: () => answerOf(api.GET('/v1/organizations', { params: { query: { page } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <DataTable
        label={words.title}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={setPage}
        empty={
          <EmptyState icon={IconSitemap} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </>
  );
}
