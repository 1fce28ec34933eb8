import { Anchor, Text } from '@mantine/core';
import { PlusIcon, SyncIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api } from '../../../api/client';
import { t } from '../../../texts';
import { ActionButton } from '../../../ui/action-button';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { PageHeader } from '../../../ui/page-header';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { openCreateScimConnectionDialog } from './create-scim-connection';
import { usePaging } from '../../../ui/paging';
import { type ScimConnection, scimConnectionsQuery } from './scim-queries';

const column = createColumnHelper<ScimConnection>();
const columns = [
  column.accessor('name', {
    header: () => t('scim.name'),
    cell: ({ row: { original } }) => <ConnectionLink connection={original} />,
  }),
  column.accessor('mode', {
    header: () => t('scim.mode'),
    cell: (cell) => <StatusBadge status={cell.getValue()} label={t(`scim.modes.${cell.getValue()}`)} />,
  }),
  column.accessor('baseUrl', {
    header: () => t('scim.baseUrl'),
    cell: (cell) => (
      <Text size="sm" className="breakable" miw={200} maw={440}>
        {cell.getValue()}
      </Text>
    ),
  }),
  column.accessor('createdAt', { header: () => t('scim.createdAt'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
  column.accessor('updatedAt', { header: () => t('scim.updatedAt'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
];

export function ScimConnectionsPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const navigate = useNavigate();
  const canWrite = useHasPermission('*');
  const query = useQuery({ ...scimConnectionsQuery({ client: api, org }, { page, limit }), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader
        title={t('scim.title')}
        description={t('scim.description')}
        actions={
          <ActionButton
            onClick={() =>
              openCreateScimConnectionDialog(org, ({ id }) => void navigate({ to: `/dashboard/organizations/${org}/scim/${id}` }))
            }
            disabledReason={canWrite ? undefined : t('scim.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('scim.create')}
          </ActionButton>
        }
      />
      <DataTable
        label={t('scim.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={SyncIcon} title={t('scim.emptyTitle')}>
            {t('scim.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function ConnectionLink({ connection: { id, name } }: { connection: ScimConnection }) {
  const org = useOrganizationId();
  return (
    <Anchor
      component={Link}
      to={`/dashboard/organizations/${org}/scim/${id}`}
      fw={500}
      className="breakable"
      miw={140}
      display="block"
    >
      {name}
    </Anchor>
  );
}
