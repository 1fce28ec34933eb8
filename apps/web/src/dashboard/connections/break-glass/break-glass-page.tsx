import { ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { ReportIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { queryClient } from '../../../app/query-client';
import { sessionQuery } from '../../../app/session';
import { findText, t } from '../../../texts';
import { AnchorLink } from '../../../ui/anchor-link';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RelativeTime } from '../../../ui/relative-time';
import { PageHeader } from '../../../ui/page-header';
import { ActionButton } from '../../../ui/action-button';
import { StatusBadge } from '../../../ui/status-badge';
import { Countdown } from '../../../ui/countdown';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { UserName } from '../../user-name';
import { breakGlassFilters, type BreakGlassRequest, requestsQuery, STATUSES } from './break-glass-queries';
import { durationText } from './duration-text';
import { RequestActions } from './request-actions';
import { usePaging } from '../../../ui/paging';
import { openRequestDialog } from './request-access';

const ANY = 'all';

const column = createColumnHelper<BreakGlassRequest>();
const columns = [
  column.accessor('status', {
    header: () => t('breakGlass.status'),
    cell: (cell) => <StatusBadge status={cell.getValue()} label={t(`breakGlass.statuses.${cell.getValue()}`)} />,
  }),
  column.accessor('requesterEmail', {
    header: () => t('breakGlass.requester'),
    cell: ({ row: { original } }) => <Requester request={original} />,
  }),
  column.accessor('reason', {
    header: () => t('breakGlass.reason'),
    cell: ({ row: { original } }) => (
      <Stack gap={2} maw={320} miw={200}>
        <Text size="sm" className="breakable">
          {original.reason}
        </Text>
        <Text size="xs" c="dimmed">
          {t('breakGlass.forDuration', { duration: durationText(original.durationSeconds) })}
        </Text>
      </Stack>
    ),
  }),
  column.accessor('createdAt', { header: () => t('breakGlass.asked'), cell: (cell) => <RequestedAt at={cell.getValue()} /> }),
  column.display({
    id: 'left',
    header: () => t('breakGlass.timeLeft'),
    cell: ({ row: { original } }) => <RemainingTime request={original} />,
  }),
  column.display({
    id: 'decision',
    header: () => t('breakGlass.decision'),
    cell: ({ row: { original } }) => <Decision request={original} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <RequestActions request={original} />,
  }),
];

/** Lists the requests for emergency access with their decisions. */
export function BreakGlassPage() {
  const org = useOrganizationId();
  const filters = useSearch({ from: '/dashboard/organizations/$org/break-glass' });
  const navigate = useNavigate();
  const query = useQuery(requestsQuery(org, filters));
  const statuses = [
    { value: ANY, label: t('breakGlass.anyStatus') },
    ...STATUSES.map((value) => ({ value, label: t(`breakGlass.statuses.${value}`) })),
  ];
  return (
    <>
      <PageHeader title={t('breakGlass.title')} description={t('breakGlass.description')} actions={<RequestButton org={org} />} />
      <ScrollArea type="auto" offsetScrollbars="x" mb="md">
        <SegmentedControl
          aria-label={t('breakGlass.status')}
          transitionDuration={0}
          data={statuses}
          value={filters.status ?? ANY}
          onChange={(status) => void navigate({ to: '.', search: breakGlassFilters({ status }) })}
        />
      </ScrollArea>
      <DataTable
        label={t('breakGlass.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...usePaging()}
        empty={
          <EmptyState icon={ReportIcon} title={filters.status ? t('breakGlass.emptyFiltered') : t('breakGlass.emptyTitle')}>
            {t('breakGlass.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function RequestButton({ org }: { org: string }) {
  const { data: session } = useQuery(sessionQuery);
  const canRequest = useHasPermission('break_glass:request');
  const reason =
    session && !session.user ? t('breakGlass.operatorCannot') : canRequest ? undefined : t('breakGlass.cannotRequest');
  return (
    <ActionButton
      color="red"
      leftSection={<ReportIcon size={16} />}
      disabledReason={reason}
      onClick={() => openRequestDialog(org)}
    >
      {t('breakGlass.request')}
    </ActionButton>
  );
}

function RequestedAt({ at }: { at: string }) {
  return (
    <Text size="sm" component="div" style={{ whiteSpace: 'nowrap' }}>
      <RelativeTime at={at} />
    </Text>
  );
}

function Requester({ request: { requesterId, requesterEmail } }: { request: BreakGlassRequest }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Text size="sm" className="breakable" miw={150} maw={240}>
      {requesterEmail}
      {session?.user?.id === requesterId && ` (${t('breakGlass.you')})`}
    </Text>
  );
}

function RemainingTime({ request: { status, expiresAt, endsAt, organizationId } }: { request: BreakGlassRequest }) {
  const end = status === 'pending' ? expiresAt : status === 'approved' ? endsAt : null;
  if (!end) return <>–</>;
  return (
    <Text size="sm" component="div" style={{ whiteSpace: 'nowrap' }}>
      <Countdown
        until={end}
        onExpired={() => void queryClient.invalidateQueries({ queryKey: ['break-glass', organizationId] })}
      />{' '}
      {status === 'pending' ? t('breakGlass.decideWithin') : t('breakGlass.runsOut')}
    </Text>
  );
}

function Decision({ request }: { request: BreakGlassRequest }) {
  const { status, decidedAt, decidedById, decisionNote, endedReason } = request;
  const canReadEvents = useHasPermission('events:read');
  if (!decidedAt && !endedReason) return <>–</>;
  return (
    <Stack gap={2} miw={160} maw={240}>
      {decidedAt && (
        <Text size="sm" component="div">
          {status === 'denied' ? t('breakGlass.deniedBy') : t('breakGlass.approvedBy')} <Decider id={decidedById} />,{' '}
          <RelativeTime at={decidedAt} />
        </Text>
      )}
      {decisionNote && (
        <Text size="xs" c="dimmed" className="breakable">
          {decisionNote}
        </Text>
      )}
      {endedReason && (
        <Text size="xs" c="dimmed">
          {findText(`breakGlass.endedReasons.${endedReason}`) ?? endedReason}
        </Text>
      )}
      {request.eventsUrl && canReadEvents && <EmergencyEventsLink eventsUrl={request.eventsUrl} org={request.organizationId} />}
    </Stack>
  );
}

function Decider({ id }: { id: string | null }) {
  if (id?.startsWith('usr_')) return <UserName id={id} />;
  return id?.startsWith('ops_') ? t('shell.operator') : t('breakGlass.platform');
}

function EmergencyEventsLink({ eventsUrl, org }: { eventsUrl: string; org: string }) {
  const { searchParams } = new URL(eventsUrl, window.location.origin);
  const search = { ...Object.fromEntries(searchParams), includeDescendants: true as const };
  return (
    <AnchorLink to="/dashboard/organizations/$org/events" params={{ org }} search={search} size="xs">
      {t('breakGlass.viewEvents')}
    </AnchorLink>
  );
}
