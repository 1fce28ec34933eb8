import { Button, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { answerOf, api, type Schema } from '../../api/client';
import { texts } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { notifySuccess } from '../../ui/notify';

const words = texts.organizations.deleted;

type Deleted = Schema<'OrganizationListItemResponse'>;

const column = createColumnHelper<Deleted>();
const columns = [
  column.accessor('name', {
    header: texts.organizations.name,
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
  column.accessor('deletedAt', { header: words.deletedAt, cell: (cell) => <Moment at={cell.getValue()} /> }),
  column.accessor('restorableUntil', { header: words.restorableUntil, cell: (cell) => <Moment at={cell.getValue()} /> }),
  column.display({
    id: 'restore',
    header: texts.common.actions,
    cell: ({ row: { original } }) => <RestoreButton organization={original} />,
  }),
];

/** Organizations that were deleted and can be brought back. */
export function DeletedOrganizations() {
  const { page = 1 } = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['organizations', 'deleted', page],
    queryFn: () => answerOf(api.GET('/v1/organizations', { params: { query: { status: 'deleted', page } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {words.explained}
      </Text>
      <DataTable
        label={texts.organizations.tabs.deleted}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={(next) => void navigate({ to: '/dashboard', search: { tab: 'deleted', page: next } })}
        empty={
          <EmptyState icon={IconTrash} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </>
  );
}

function RestoreButton({ organization: { id, name } }: { organization: Deleted }) {
  const client = useQueryClient();
  const restore = async () => {
    await answerOf(api.POST('/v1/organizations/{id}/restore', { params: { path: { id } } }));
    await Promise.all(['organization', 'organizations', 'session'].map((area) => client.invalidateQueries({ queryKey: [area] })));
    notifySuccess(words.restored(name));
  };
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${texts.common.restore}: ${name}`}
      onClick={() =>
        confirm({
          title: words.restoreTitle(name),
          consequences: words.restoreConsequences,
          confirmLabel: texts.common.restore,
          action: restore,
        })
      }
    >
      {texts.common.restore}
    </Button>
  );
}
