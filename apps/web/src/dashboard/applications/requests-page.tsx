import { Group, Stack, Text } from '@mantine/core';
import { InboxIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../texts';
import { ActionButton } from '../../ui/action-button';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { RelativeTime } from '../../ui/relative-time';
import { StatusBadge } from '../../ui/status-badge';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { type Approval, approvalsQuery } from './application-queries';
import { usePaging } from '../../ui/paging';
import { confirmDecision } from './decide-approval';

const column = createColumnHelper<Approval>();
const columns = [
  column.accessor('application', {
    header: () => t('applications.access.application'),
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={160} maw={260}>
        <Text size="sm" className="breakable">
          {nameOf(original)}
        </Text>
        {original.metadataUri && (
          <Text size="xs" c="dimmed" className="breakable">
            {original.metadataUri}
          </Text>
        )}
      </Stack>
    ),
  }),
  column.accessor('requests', {
    header: () => t('applications.requests.askedBy'),
    cell: (cell) => (
      <Stack gap={2} miw={220} maw={420}>
        {cell.getValue().length === 0 && <Text size="sm">{t('applications.requests.nobody')}</Text>}
        {cell.getValue().map(({ userId, email, reason }) => (
          <Text key={userId} size="sm" className="breakable">
            {t('applications.requests.reason', { email, reason })}
          </Text>
        ))}
      </Stack>
    ),
  }),
  column.accessor('status', {
    header: () => t('applications.requests.status'),
    cell: (cell) => <StatusBadge status={cell.getValue()} label={t(`applications.requests.statuses.${cell.getValue()}`)} />,
  }),
  column.accessor('createdAt', {
    header: () => t('applications.access.since'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <Decisions approval={original} />,
  }),
];

/** Lists the applications from outside for which users asked, and lets owners decide. */
export function RequestsPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(approvalsQuery(org, { page, limit }));
  return (
    <>
      <PageHeader title={t('applications.requests.title')} description={t('applications.requests.description')} />
      <DataTable
        label={t('applications.requests.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={InboxIcon} title={t('applications.requests.emptyTitle')}>
            {t('applications.requests.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

const nameOf = ({ application }: Approval): string => application?.name ?? t('account.applications.deleted');

function Decisions({ approval }: { approval: Approval }) {
  const org = useOrganizationId();
  const canDecide = useHasPermission('application_approvals:write');
  const application = nameOf(approval);
  const reason = canDecide ? undefined : t('applications.requests.cannotDecide');
  const button = (decision: 'approve' | 'deny' | 'revoke') => (
    <ActionButton
      size="xs"
      variant="default"
      disabledReason={reason}
      onClick={() => confirmDecision(org, approval.id, application, decision)}
    >
      {t(`applications.requests.${decision}`)}
    </ActionButton>
  );
  return (
    <Group gap="xs" wrap="nowrap" role="group" aria-label={t('applications.requests.actionsFor', { application })}>
      {approval.status === 'approved' ? button('revoke') : button('approve')}
      {approval.status === 'pending' && button('deny')}
    </Group>
  );
}
