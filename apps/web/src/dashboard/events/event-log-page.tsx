import { Badge, Button, Group, Paper, Skeleton, Stack, Switch } from '@mantine/core';
import { LogIcon, ShieldCheckIcon } from '@primer/octicons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { EventDetail } from './event-detail';
import { type EventFilters, queryOf } from './event-filters';
import { EventFilterBar } from './event-filter-bar';
import { EventTable } from './event-table';
import { useLiveEvents } from './use-live-events';

const LIMIT = 50;

export function EventLogPage() {
  const org = useOrganizationId();
  const filters = useSearch({ from: '/dashboard/organizations/$org/events' });
  const navigate = useNavigate();
  const change = (changes: Partial<EventFilters>) =>
    void navigate({ to: '.', search: (before: EventFilters) => ({ ...before, ...changes }), replace: true });

  const query = useEventPages(org, filters);
  const loadedEvents = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const live = useLiveEvents(org, filters, loadedEvents[0]?.id, query.isSuccess);
  const shown = [...live.events, ...loadedEvents];

  return (
    <>
      <PageHeader
        title={t('events.title')}
        description={t('events.description')}
        actions={
          <LogActions org={org} isLive={Boolean(filters.live)} onLive={(isLive) => change({ live: isLive || undefined })} />
        }
      />
      <EventFilterBar filters={filters} onChange={change} />
      <LiveState live={live} />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={320} />}
      {query.isSuccess && shown.length === 0 && (
        <Paper withBorder>
          <EmptyState icon={LogIcon} title={t('events.emptyTitle')}>
            {t('events.empty')}
          </EmptyState>
        </Paper>
      )}
      {shown.length > 0 && (
        <Stack>
          <EventTable events={shown} newCount={live.events.length} onOpen={(event) => change({ event })} />
          {query.hasNextPage && (
            <Group justify="center">
              <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                {t('events.loadOlder')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
      <EventDetail org={org} id={filters.event} onClose={() => change({ event: undefined })} />
    </>
  );
}

function useEventPages(org: string, filters: EventFilters) {
  return useInfiniteQuery({
    queryKey: ['events', org, queryOf(filters)],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/v1/organizations/{org}/events', {
          params: { path: { org }, query: { ...queryOf(filters), limit: LIMIT, ...(pageParam ? { after: pageParam } : {}) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ data, pagination }) => (pagination.hasMore ? data.at(-1)?.id : undefined),
    // New events come from the stream. A refetch would show new events twice.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

interface ActionsProps {
  readonly org: string;
  readonly isLive: boolean;
  readonly onLive: (isLive: boolean) => void;
}

function LogActions({ org, isLive, onLive }: ActionsProps) {
  return (
    <>
      <Switch
        label={t('events.live')}
        description={t('events.liveHint')}
        checked={isLive}
        onChange={(event) => onLive(event.currentTarget.checked)}
      />
      <Button
        component={Link}
        to={`/dashboard/organizations/${org}/events/verification`}
        variant="default"
        leftSection={<ShieldCheckIcon size={16} />}
      >
        {t('events.verify')}
      </Button>
    </>
  );
}

function LiveState({ live: { events, state } }: { live: ReturnType<typeof useLiveEvents> }) {
  if (state === 'off') return null;
  const text =
    state === 'reconnecting'
      ? t('events.reconnecting')
      : events.length > 0
        ? t('events.arrived', { count: events.length })
        : t('events.connected');
  return (
    <Badge color={state === 'connected' ? 'green' : 'yellow'} variant="light" mb="sm" tt="none" role="status">
      {text}
    </Badge>
  );
}
