import { Anchor, Badge, Group, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { texts } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { Moment } from '../../../ui/moment';
import type { DeliveriesSearch } from '../search';
import { adviceOn } from '../delivery/advice';
import { deliveriesQuery, type Delivery, useWebhookKey, type WebhookKey } from '../webhook-queries';
import { DeliveryFilters } from './delivery-filters';
import { DeliveryStatusBadge } from './delivery-status';

const words = texts.deliveries;
const route = getRouteApi('/dashboard/organizations/$org/webhooks/$webhookId/deliveries');
const column = createColumnHelper<Delivery>();

const columnsFor = ({ org, id }: WebhookKey) => [
  column.accessor('eventType', {
    header: words.event,
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
            {words.test}
          </Badge>
        )}
      </Group>
    ),
  }),
  column.display({ id: 'status', header: words.status, cell: ({ row }) => <DeliveryStatusBadge delivery={row.original} /> }),
  column.display({ id: 'answer', header: words.lastAnswer, cell: ({ row }) => <LastAnswer delivery={row.original} /> }),
  column.accessor('attemptCount', { header: words.attempts }),
  column.accessor('nextAttemptAt', {
    header: words.next,
    cell: (cell) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <Moment at={cell.getValue()} fallback={words.dash} />
      </Text>
    ),
  }),
  column.accessor('sequence', { header: words.sequence, cell: (cell) => cell.getValue() ?? words.dash }),
  column.accessor('createdAt', {
    header: words.created,
    cell: (cell) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <Moment at={cell.getValue()} />
      </Text>
    ),
  }),
];

function LastAnswer({ delivery: { lastResponseCode, lastErrorKind, attemptCount } }: { delivery: Delivery }) {
  if (attemptCount === 0)
    return (
      <Text size="sm" span c="dimmed">
        {words.noAnswer}
      </Text>
    );
  return (
    <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
      {lastResponseCode ?? adviceOn({ errorKind: lastErrorKind, responseCode: null }).title}
    </Text>
  );
}

/** What was sent to a webhook, newest first. */
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
        label={words.title}
        columns={columns}
        rowId={(delivery) => delivery.id}
        query={query}
        onPage={(page) => change({ page: page > 1 ? page : undefined })}
        empty={
          <EmptyState icon={IconInbox} title={isFiltered ? words.emptyFilteredTitle : words.emptyTitle}>
            {isFiltered ? words.emptyFiltered : words.empty}
          </EmptyState>
        }
      />
    </>
  );
}

const withoutBlanks = (search: object): DeliveriesSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
