import { Stack, Text } from '@mantine/core';
import { BroadcastIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../../texts';
import { AnchorLink } from '../../../ui/anchor-link';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { PageHeader } from '../../../ui/page-header';
import { usePaging } from '../../../ui/paging';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { StreamActions } from './stream-actions';
import { type Stream, streamsQuery } from './stream-queries';

const column = createColumnHelper<Stream>();
const columns = [
  column.display({
    id: 'receiver',
    header: () => t('sharedSignals.receiver'),
    cell: ({ row: { original } }) => <Receiver stream={original} />,
  }),
  column.display({
    id: 'delivery',
    header: () => t('sharedSignals.delivery'),
    cell: ({ row: { original } }) => deliveryOf(original),
  }),
  column.display({
    id: 'events',
    header: () => t('sharedSignals.events'),
    cell: ({ row: { original } }) => <Text size="sm">{eventsOf(original)}</Text>,
  }),
  column.display({
    id: 'status',
    header: () => t('sharedSignals.status'),
    cell: ({ row: { original } }) => <Status stream={original} />,
  }),
  column.accessor('lastDeliveryAt', {
    header: () => t('sharedSignals.lastDelivery'),
    cell: (cell) => <RelativeTime at={cell.getValue()} fallback={t('common.never')} />,
  }),
  column.accessor('pendingCount', { header: () => t('sharedSignals.pending') }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <StreamActions stream={original} />,
  }),
];

/** Lists the streams of security events that receivers created. */
export function StreamsPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(streamsQuery(org, { page, limit }));
  return (
    <>
      <PageHeader title={t('sharedSignals.title')} description={t('sharedSignals.description')} />
      <DataTable
        label={t('sharedSignals.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={BroadcastIcon} title={t('sharedSignals.emptyTitle')}>
            {t('sharedSignals.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function Receiver({ stream: { clientId, clientName, description } }: { stream: Stream }) {
  const org = useOrganizationId();
  const canReadClients = useHasPermission('oauth_clients:read');
  const name = clientName ?? t('sharedSignals.apiKeys');
  return (
    <Stack gap={0}>
      {clientId !== null && canReadClients ? (
        <AnchorLink to="/dashboard/organizations/$org/applications/$clientId" params={{ org, clientId }} size="sm">
          {name}
        </AnchorLink>
      ) : (
        <Text size="sm">{name}</Text>
      )}
      {description !== null && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  );
}

function Status({ stream: { status, statusReason } }: { stream: Stream }) {
  return (
    <Stack gap={0}>
      <StatusBadge status={status} label={t(`sharedSignals.statuses.${status}`)} />
      {statusReason !== null && (
        <Text size="xs" c="dimmed">
          {statusReason}
        </Text>
      )}
    </Stack>
  );
}

const deliveryOf = ({ deliveryMethod, origin }: Stream): string =>
  deliveryMethod === 'push' ? t('sharedSignals.push', { host: origin ?? '' }) : t('sharedSignals.poll');

/** Returns the names of the events, which are the last parts of their URIs. */
const eventsOf = ({ eventsDelivered }: Stream): string =>
  eventsDelivered.map((uri) => uri.slice(uri.lastIndexOf('/') + 1)).join(', ') || t('sharedSignals.noEvents');
