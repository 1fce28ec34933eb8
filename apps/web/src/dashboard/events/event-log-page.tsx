import { Badge, Button, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { LogIcon } from '@primer/octicons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { EventDetail } from './event-detail';
import { countFilters, type EventFilters, queryOf } from './event-filters';
import { EventFilterBar } from './event-filter-bar';
import { EventTable } from './event-table';
import { LogActions } from './log-actions';
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
        actions={<LogActions org={org} filters={filters} onLive={(isLive) => change({ live: isLive || undefined })} />}
      />
      <EventFilterBar filters={filters} onChange={change} />
      <LiveState live={live} />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={320} />}
      {query.isSuccess && shown.length === 0 && (
        <Paper withBorder>
          <EmptyState icon={LogIcon} title={t('events.emptyTitle')}>
            {query.hasNextPage ? t('events.notFoundYet') : countFilters(filters) > 0 ? t('events.empty') : t('events.emptyLog')}
          </EmptyState>
        </Paper>
      )}
      {shown.length > 0 && <EventTable events={shown} newCount={live.events.length} onOpen={(event) => change({ event })} />}
      <OlderEvents query={query} />
      <EventDetail org={org} id={filters.event} onClose={() => change({ event: undefined })} />
    </>
  );
}

/** Where the next page begins: after the last event, or, when a search has searched all events of its range, at an older position. */
interface NextEvents {
  readonly after?: string;
  readonly toPosition?: number;
}

const FIRST_EVENTS: NextEvents = {};

function OlderEvents({ query }: { query: ReturnType<typeof useEventPages> }) {
  const lastPage = query.data?.pages.at(-1)?.pagination;
  if (!query.hasNextPage || !lastPage) return null;
  const isSearching = !lastPage.hasMore;
  return (
    <Stack align="center" gap="xs" my="md">
      {isSearching && (
        <Text size="sm" c="dimmed">
          {t('events.searchedTo', { position: lastPage.nextToPosition ?? 0 })}
        </Text>
      )}
      <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
        {isSearching ? t('events.searchOlder') : t('events.loadOlder')}
      </Button>
    </Stack>
  );
}

function useEventPages(org: string, filters: EventFilters) {
  return useInfiniteQuery({
    queryKey: ['events', org, queryOf(filters)],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/v1/organizations/{org}/events', {
          params: { path: { org }, query: { ...queryOf(filters), limit: LIMIT, ...pageParam } },
        }),
      ),
    initialPageParam: FIRST_EVENTS,
    getNextPageParam: ({ data, pagination }, _pages, { toPosition }): NextEvents | undefined => {
      const last = data.at(-1);
      if (pagination.hasMore && last) return { after: last.id, ...(toPosition === undefined ? {} : { toPosition }) };
      return pagination.nextToPosition === null ? undefined : { toPosition: pagination.nextToPosition };
    },
    // New events come from the stream. A refetch would show new events twice.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
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
