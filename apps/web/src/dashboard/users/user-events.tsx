import { Anchor, Code, Group, Stack, Title } from '@mantine/core';
import { LogIcon } from '@primer/octicons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { eventTitle } from '../../api/event-types';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { AbsoluteTime, timeZone } from '../../ui/absolute-time';
import { EventDetail } from '../events/event-detail';
import { type Paging, usePaging } from '../../ui/paging';
import { EventActor } from '../events/event-actor';

const userEventsQuery = (org: string, query: Paging & { userId: string; until: string | undefined }) =>
  queryOptions({
    queryKey: ['user-events', org, query],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/events', { params: { path: { org }, query } })),
  });

interface Props {
  readonly org: string;
  readonly userId: string;
  /** Shows only events before this time. */
  readonly until: string | undefined;
}

export function UserEvents({ org, userId, until }: Props) {
  const { page, limit, ...paging } = usePaging();
  const query = useQuery({ ...userEventsQuery(org, { userId, until, page, limit }), placeholderData: keepPreviousData });
  const [openId, setOpenId] = useState<string>();
  const columns = useMemo(() => eventColumns(setOpenId), []);
  const untilParameter = until === undefined ? '' : `&until=${encodeURIComponent(until)}`;
  const logPath = `/dashboard/organizations/${org}/events?userId=${userId}${untilParameter}`;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('users.events.title')}</Title>
        <Anchor component={Link} to={logPath} size="sm">
          {t('users.events.openLog')}
        </Anchor>
      </Group>
      <div>
        <DataTable
          label={t('users.events.title')}
          columns={columns}
          rowId={({ id }) => id}
          query={query}
          {...paging}
          empty={
            <EmptyState icon={LogIcon} title={t('users.events.empty')}>
              {t('users.events.emptyText')}
            </EmptyState>
          }
        />
      </div>
      <EventDetail org={org} id={openId} onClose={() => setOpenId(undefined)} />
    </Stack>
  );
}

const column = createColumnHelper<Schema<'EventResponse'>>();

const eventColumns = (onOpen: (id: string) => void) => [
  column.accessor('timestamp', {
    header: t('events.timeIn', { zone: timeZone() }),
    cell: (cell) => <AbsoluteTime at={cell.getValue()} />,
  }),
  column.accessor('type', {
    header: t('users.events.type'),
    cell: ({ row: { original } }) => (
      <div>
        <Anchor component="button" ta="left" size="sm" onClick={() => onOpen(original.id)}>
          {eventTitle(original.type)}
        </Anchor>
        <div>
          <Code>{original.type}</Code>
        </div>
      </div>
    ),
  }),
  column.display({ id: 'actor', header: t('users.events.actor'), cell: ({ row }) => <EventActor event={row.original} /> }),
  column.display({
    id: 'address',
    header: t('users.events.address'),
    cell: ({ row }) => row.original.metadata?.ipAddress ?? '–',
  }),
];
