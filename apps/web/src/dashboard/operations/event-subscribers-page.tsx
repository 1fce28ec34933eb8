import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { BroadcastIcon } from '@primer/octicons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { AnchorLink } from '../../ui/anchor-link';
import { confirm } from '../../ui/confirm';
import { EmptyState } from '../../ui/empty-state';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { PageHeader } from '../../ui/page-header';
import { ScrollTable } from '../../ui/scroll-table';
import { useApiMutation } from '../../ui/use-api-mutation';

type Subscriber = Schema<'EventSubscriberResponse'>;
type Stopped = Subscriber['stopped'][number];

const REFRESH_MS = 5_000;
const subscribersQuery = queryOptions({
  queryKey: ['event-subscribers'],
  queryFn: () => unwrap(api.GET('/v1/event-subscribers')),
  refetchInterval: REFRESH_MS,
});

/** Lists the durable event handlers, each with the backlog and the organizations for which the handler is stopped. */
export function EventSubscribersPage() {
  const query = useQuery(subscribersQuery);
  const subscribers = query.data?.data;
  return (
    <>
      <PageHeader title={t('eventSubscribers.title')} description={t('eventSubscribers.description')} />
      {query.error && !subscribers && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {subscribers?.length === 0 && (
        <EmptyState icon={BroadcastIcon} title={t('eventSubscribers.emptyTitle')}>
          {t('eventSubscribers.empty')}
        </EmptyState>
      )}
      <Stack gap="xl">
        {subscribers?.map((subscriber) => (
          <SubscriberSection key={subscriber.name} subscriber={subscriber} />
        ))}
      </Stack>
    </>
  );
}

function SubscriberSection({ subscriber }: { subscriber: Subscriber }) {
  const { name, eventTypes, waitingEvents, lagSeconds, stopped, stoppedCount } = subscriber;
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Group gap="sm">
        <Title order={2} className="breakable">
          {name}
        </Title>
        {stoppedCount > 0 && <Badge color="red">{t('eventSubscribers.stoppedFor', { count: stoppedCount })}</Badge>}
      </Group>
      <Text size="sm" c="dimmed" className="breakable">
        {eventTypes.length > 0 ? eventTypes.join(', ') : t('eventSubscribers.removed')}
      </Text>
      <Text size="sm">
        {waitingEvents === 0
          ? t('eventSubscribers.nothingWaits')
          : t('eventSubscribers.waiting', { count: waitingEvents, seconds: Math.round(lagSeconds) })}
      </Text>
      {stopped.length > 0 && <StoppedTable name={name} stopped={stopped} />}
    </Stack>
  );
}

function StoppedTable({ name, stopped }: { name: string; stopped: readonly Stopped[] }) {
  const resume = useApiMutation({
    mutationFn: (body: { organizationId: string; skipEvent: boolean }) =>
      unwrap(api.POST('/v1/event-subscribers/{subscriber}/resume', { params: { path: { subscriber: name } }, body })),
    invalidates: [subscribersQuery.queryKey],
    successMessage: t('eventSubscribers.resumed'),
  });
  const confirmSkip = ({ organizationId, eventId }: Stopped) =>
    confirm({
      title: t('eventSubscribers.skipTitle'),
      consequences: t('eventSubscribers.skipText', { name, eventId }),
      confirmLabel: t('eventSubscribers.skip'),
      isDangerous: true,
      action: () => resume.mutateAsync({ organizationId, skipEvent: true }),
    });
  return (
    <ScrollTable label={t('eventSubscribers.stoppedLabel', { name })}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('common.organization')}</Table.Th>
          <Table.Th>{t('eventSubscribers.event')}</Table.Th>
          <Table.Th>{t('eventSubscribers.error')}</Table.Th>
          <Table.Th>{t('eventSubscribers.attempts')}</Table.Th>
          <Table.Th>{t('eventSubscribers.stopped')}</Table.Th>
          <Table.Th>{t('common.actions')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {stopped.map((each) => (
          <StoppedRow
            key={each.organizationId}
            stopped={each}
            isResuming={resume.isPending}
            onRetry={() => resume.mutate({ organizationId: each.organizationId, skipEvent: false })}
            onSkip={() => confirmSkip(each)}
          />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

interface StoppedRowProps {
  readonly stopped: Stopped;
  readonly isResuming: boolean;
  readonly onRetry: () => void;
  readonly onSkip: () => void;
}

function StoppedRow({ stopped, isResuming, onRetry, onSkip }: StoppedRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <AnchorLink size="sm" to="/dashboard/organizations/$org" params={{ org: stopped.organizationId }}>
          {stopped.organizationId}
        </AnchorLink>
      </Table.Td>
      <Table.Td className="breakable">{stopped.eventId}</Table.Td>
      <Table.Td className="breakable" miw={200}>
        {stopped.error}
      </Table.Td>
      <Table.Td>{stopped.attempts}</Table.Td>
      <Table.Td>
        <RelativeTime at={stopped.stoppedAt} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="default" loading={isResuming} onClick={onRetry}>
            {t('eventSubscribers.retry')}
          </Button>
          <Button size="xs" variant="default" onClick={onSkip}>
            {t('eventSubscribers.skip')}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
