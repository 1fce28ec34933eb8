import { Anchor, Button, Group, Table, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { ScrollTable } from '../../../ui/scroll-table';
import { StatusBadge } from '../../../ui/status-badge';
import { webhookQueryKey, reconcile, type Reconciliation, useWebhookKey, type WebhookKey } from '../webhook-queries';

export function UndeliveredList({ reconciliation }: { reconciliation: Reconciliation }) {
  const key = useWebhookKey();
  const { since, until, undelivered, hasMore } = reconciliation;
  const undeliveredPages = useInfiniteQuery({
    queryKey: [...webhookQueryKey(key), 'undelivered', since, until],
    queryFn: ({ pageParam }) => reconcile(key, { since, until, after: pageParam }),
    initialPageParam: undelivered.at(-1)?.eventId ?? '',
    getNextPageParam: (page) => (page.hasMore ? page.undelivered.at(-1)?.eventId : undefined),
    enabled: false,
  });
  const rows = [...undelivered, ...(undeliveredPages.data?.pages.flatMap((page) => page.undelivered) ?? [])];
  return (
    <section>
      <Title order={2} mb="sm">
        {t('reconciliation.list')}
      </Title>
      <ScrollTable label={t('reconciliation.list')}>
        <Table.Thead>
          <Table.Tr>
            {[t('reconciliation.event'), t('reconciliation.status'), t('reconciliation.delivery')].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((event) => (
            <UndeliveredRow key={event.eventId} event={event} webhookKey={key} />
          ))}
        </Table.Tbody>
      </ScrollTable>
      {undeliveredPages.error && <ErrorNotice error={undeliveredPages.error} />}
      {(undeliveredPages.data ? undeliveredPages.hasNextPage : hasMore) && (
        <Group justify="center" mt="sm">
          <Button
            variant="default"
            loading={undeliveredPages.isFetching}
            onClick={() => void (undeliveredPages.data ? undeliveredPages.fetchNextPage() : undeliveredPages.refetch())}
          >
            {t('reconciliation.more')}
          </Button>
        </Group>
      )}
    </section>
  );
}

interface RowProps {
  readonly event: Reconciliation['undelivered'][number];
  readonly webhookKey: WebhookKey;
}

function UndeliveredRow({ event: { eventId, eventType, deliveryId, status }, webhookKey }: RowProps) {
  const base = `/dashboard/organizations/${webhookKey.org}`;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {eventType}
        <br />
        <Anchor component={Link} to={`${base}/events?event=${eventId}`} size="xs">
          {eventId}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status === 'missing' ? 'failed' : status} label={t(`deliveries.statuses.${status}`)} />
      </Table.Td>
      <Table.Td>
        {deliveryId === null ? (
          t('reconciliation.none')
        ) : (
          <Anchor
            component={Link}
            to={`${base}/webhooks/${webhookKey.id}/deliveries/${deliveryId}`}
            size="sm"
            aria-label={`${t('reconciliation.open')}: ${eventType} ${eventId}`}
          >
            {t('reconciliation.open')}
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
