import { Button, Stack, Text } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { notifySuccess } from '../../ui/notify';

type Deleted = Schema<'OrganizationListItemResponse'>;

const column = createColumnHelper<Deleted>();
const columns = [
  column.accessor('name', {
    header: () => t('organizations.name'),
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={160}>
        <Text fw={500} className="breakable">
          {original.name}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {original.slug}
        </Text>
      </Stack>
    ),
  }),
  column.accessor('deletedAt', {
    header: () => t('organizations.deleted.deletedAt'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('restorableUntil', {
    header: () => t('organizations.deleted.restorableUntil'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.display({
    id: 'restore',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <RestoreButton organization={original} />,
  }),
];

export function DeletedOrganizations() {
  const { page = 1 } = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['organizations', 'deleted', page],
    queryFn: () => unwrap(api.GET('/v1/organizations', { params: { query: { status: 'deleted', page } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {t('organizations.deleted.explained')}
      </Text>
      <DataTable
        label={t('organizations.tabs.deleted')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={(next) => void navigate({ to: '/dashboard', search: { tab: 'deleted', page: next } })}
        empty={
          <EmptyState icon={TrashIcon} title={t('organizations.deleted.emptyTitle')}>
            {t('organizations.deleted.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function RestoreButton({ organization: { id, name } }: { organization: Deleted }) {
  const client = useQueryClient();
  const restore = async () => {
    await unwrap(api.POST('/v1/organizations/{org}/restore', { params: { path: { org: id } } }));
    await Promise.all(['organization', 'organizations', 'session'].map((area) => client.invalidateQueries({ queryKey: [area] })));
    notifySuccess(t('organizations.deleted.restored', { name }));
  };
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${t('common.restore')}: ${name}`}
      onClick={() =>
        confirm({
          title: t('organizations.deleted.restoreTitle', { name }),
          consequences: t('organizations.deleted.restoreConsequences'),
          confirmLabel: t('common.restore'),
          action: restore,
        })
      }
    >
      {t('common.restore')}
    </Button>
  );
}
