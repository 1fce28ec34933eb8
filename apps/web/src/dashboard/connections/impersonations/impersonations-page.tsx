import { Stack, Text } from '@mantine/core';
import { PeopleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { PageHeader } from '../../../ui/page-header';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useOrganizationId } from '../../organization';
import { UserName } from '../../user-name';
import { ImpersonationActions } from './impersonation-actions';
import { usePaging } from '../../../ui/paging';
import { type Impersonation, impersonationsQuery } from './impersonation-queries';

const column = createColumnHelper<Impersonation>();
const columns = [
  column.accessor('status', {
    header: () => t('breakGlass.status'),
    cell: (cell) => <StatusBadge status={cell.getValue()} label={t(`impersonation.statuses.${cell.getValue()}`)} />,
  }),
  column.accessor('impersonatorEmail', { header: () => t('impersonation.impersonator') }),
  column.accessor('userId', { header: () => t('impersonation.user'), cell: (cell) => <UserName id={cell.getValue()} /> }),
  column.accessor('reason', {
    header: () => t('breakGlass.reason'),
    cell: (cell) => (
      <Text size="sm" className="breakable" maw={320} miw={160}>
        {cell.getValue()}
      </Text>
    ),
  }),
  column.accessor('createdAt', {
    header: () => t('breakGlass.asked'),
    cell: ({ row: { original } }) => <Times impersonation={original} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <ImpersonationActions impersonation={original} />,
  }),
];

/** Lists who is or was signed in as users for support, and the requests. */
export function ImpersonationsPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(impersonationsQuery(org, { page, limit }));
  return (
    <>
      <PageHeader title={t('impersonation.title')} description={t('impersonation.description')} />
      <DataTable
        label={t('impersonation.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={PeopleIcon} title={t('impersonation.emptyTitle')}>
            {t('impersonation.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function Times({ impersonation: { createdAt, startedAt, endedAt } }: { impersonation: Impersonation }) {
  return (
    <Stack gap={2} miw={140}>
      <RelativeTime at={createdAt} />
      {startedAt && (
        <Text size="xs" c="dimmed" component="div">
          {t('acting.support.started')} <RelativeTime at={startedAt} />
        </Text>
      )}
      {endedAt && (
        <Text size="xs" c="dimmed" component="div">
          {t('impersonation.endedAt')} <RelativeTime at={endedAt} />
        </Text>
      )}
    </Stack>
  );
}
