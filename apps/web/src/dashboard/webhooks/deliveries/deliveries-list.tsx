import { Anchor, Badge, Code, Group, Text } from '@mantine/core';
import { InboxIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RelativeTime } from '../../../ui/relative-time';
import type { DeliveriesSearch } from '../search';
import { UserName } from '../../user-name';
import { adviceFor } from '../delivery/advice';
import { deliveriesQuery, type Delivery, useWebhookKey, type WebhookKey } from '../webhook-queries';
import { DeliveryFilters } from './delivery-filters';
import { usePaging } from '../../../ui/paging';
import { DeliveryStatusBadge } from './delivery-status';

const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/deliveries');
const column = createColumnHelper<Schema<'DeliveryListItemResponse'>>();

const columnsFor = ({ org, id }: WebhookKey) => [
  column.accessor('eventType', {
    header: t('deliveries.event'),
    cell: ({ row: { original } }) => (
      <Group gap="xs" wrap="nowrap">
        <Anchor
          component={Link}
          to={`/dashboard/organizations/${org}/webhooks/${id}/deliveries/${original.id}`}
          fw={600}
          style={{ whiteSpace: 'nowrap' }}
        >
          {original.eventType}
        </Anchor>
        {original.test && (
          <Badge variant="default" size="sm" tt="none">
            {t('deliveries.test')}
          </Badge>
        )}
      </Group>
    ),
  }),
  column.accessor('subject', {
    header: t('deliveries.subject'),
    cell: (cell) => (
      <Text component="div" size="sm" miw={180} maw={260} className="breakable">
        <Subject subject={cell.getValue()} />
      </Text>
    ),
  }),
  column.display({
    id: 'status',
    header: t('deliveries.status'),
    cell: ({ row }) => <DeliveryStatusBadge delivery={row.original} />,
  }),
  column.display({
    id: 'response',
    header: t('deliveries.lastResponse'),
    cell: ({ row }) => <LastResponse delivery={row.original} />,
  }),
  column.accessor('attemptCount', { header: t('deliveries.attempts') }),
  column.accessor('nextAttemptAt', {
    header: t('deliveries.next'),
    cell: (cell) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={cell.getValue()} fallback={t('deliveries.dash')} />
      </Text>
    ),
  }),
  column.accessor('sequence', { header: t('deliveries.sequence'), cell: (cell) => cell.getValue() ?? t('deliveries.dash') }),
  column.accessor('createdAt', {
    header: t('deliveries.created'),
    cell: (cell) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={cell.getValue()} />
      </Text>
    ),
  }),
];

/** Shows a user without a name in the event by the present name. */
function Subject({ subject }: Pick<Schema<'DeliveryListItemResponse'>, 'subject'>) {
  if (!subject) return t('deliveries.dash');
  return subject.name === null && subject.id.startsWith('usr_') ? <UserName id={subject.id} /> : (subject.name ?? subject.id);
}

function LastResponse({ delivery: { lastResponseCode, lastErrorKind, attemptCount } }: { delivery: Delivery }) {
  if (attemptCount === 0)
    return (
      <Text size="sm" span c="dimmed">
        {t('deliveries.noResponseYet')}
      </Text>
    );
  if (lastResponseCode !== null || lastErrorKind === null) return lastResponseCode ?? t('deliveries.dash');
  return (
    <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
      {adviceFor({ errorKind: lastErrorKind, responseCode: null }).title} <Code>{lastErrorKind}</Code>
    </Text>
  );
}

export function DeliveriesList() {
  const key = useWebhookKey();
  const { org, id } = key;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(deliveriesQuery(key, search));
  const columns = useMemo(() => columnsFor({ org, id }), [org, id]);
  const change = (changes: Partial<Record<keyof DeliveriesSearch, unknown>>) =>
    void navigate({ search: withoutBlanks({ ...search, page: undefined, ...changes }) });
  const isFiltered = Boolean(search.status ?? search.eventType ?? search.since ?? search.until);
  return (
    <>
      <DeliveryFilters search={search} onChange={change} />
      <DataTable
        label={t('deliveries.title')}
        columns={columns}
        rowId={(delivery) => delivery.id}
        query={query}
        {...usePaging()}
        empty={
          <EmptyState icon={InboxIcon} title={isFiltered ? t('deliveries.emptyFilteredTitle') : t('deliveries.emptyTitle')}>
            {isFiltered ? t('deliveries.emptyFiltered') : t('deliveries.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

const withoutBlanks = (search: object): DeliveriesSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
