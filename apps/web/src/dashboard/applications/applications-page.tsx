import { Anchor, Text } from '@mantine/core';
import { AppsIcon, PlusIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../texts';
import { ActionButton } from '../../ui/action-button';
import { CopyField } from '../../ui/copy-field';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { RelativeTime } from '../../ui/relative-time';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { type Application, applicationsQuery } from './application-queries';
import { usePaging } from '../../ui/paging';
import { ApplicationStatus } from './application-status';

const column = createColumnHelper<Application>();
const columns = [
  column.accessor('name', {
    header: () => t('applications.name'),
    cell: ({ row: { original } }) => <ApplicationLink application={original} />,
  }),
  column.accessor('type', {
    header: () => t('applications.type'),
    cell: (cell) => (
      <Text size="sm" miw={120}>
        {t(`applications.types.${cell.getValue()}`)}
      </Text>
    ),
  }),
  column.accessor('id', {
    header: () => t('applications.clientId'),
    cell: (cell) => <CopyField value={cell.getValue()} label={t('applications.clientId')} minWidth={220} />,
  }),
  column.display({
    id: 'status',
    header: () => t('applications.status'),
    cell: ({ row: { original } }) => <ApplicationStatus application={original} />,
  }),
  column.accessor('lastUsedAt', {
    header: () => t('applications.lastUsed'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
];

export function ApplicationsPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const canWrite = useHasPermission('oauth_clients:write');
  const query = useQuery(applicationsQuery(org, { page, limit }));
  return (
    <>
      <PageHeader
        title={t('applications.title')}
        description={t('applications.description')}
        actions={
          <ActionButton
            to={`/dashboard/organizations/${org}/applications/new`}
            disabledReason={canWrite ? undefined : t('applications.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('applications.create')}
          </ActionButton>
        }
      />
      <DataTable
        label={t('applications.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={AppsIcon} title={t('applications.emptyTitle')}>
            {t('applications.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function ApplicationLink({ application: { id, name } }: { application: Application }) {
  const to = `/dashboard/organizations/${useOrganizationId()}/applications/${id}`;
  return (
    <Anchor component={Link} to={to} fw={500} className="breakable" miw={140} display="block">
      {name}
    </Anchor>
  );
}
