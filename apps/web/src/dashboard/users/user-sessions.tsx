import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { DevicesIcon } from '@primer/octicons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { authenticationMethodNames } from '../../ui/authentication-methods';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { deviceName } from '../../ui/device';
import { EmptyState } from '../../ui/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useHasPermission } from '../permissions';
import { type Paging, usePaging } from '../../ui/paging';
import type { User } from './user-queries';

type Session = Schema<'SessionResponse'>;

const sessionsKey = (org: string, userId: string) => ['user-sessions', org, userId] as const;
const sessionsQuery = (org: string, userId: string, query: Paging) =>
  queryOptions({
    queryKey: [...sessionsKey(org, userId), query],
    queryFn: () =>
      unwrap(api.GET('/v1/organizations/{org}/users/{userId}/sessions', { params: { path: { org, userId }, query } })),
  });

interface Props {
  readonly org: string;
  readonly user: User;
}

export function UserSessions({ org, user }: Props) {
  const { page, limit, ...paging } = usePaging();
  const canEnd = useHasPermission('sessions:write');
  const query = useQuery({ ...sessionsQuery(org, user.id, { page, limit }), placeholderData: keepPreviousData });
  const { confirmRevoke, confirmRevokeAll } = useSessionRevocation(org, user.id);
  const hasSome = (query.data?.pagination.total ?? 0) > 0;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('users.sessions.title')}</Title>
        {canEnd && hasSome && (
          <Button variant="default" onClick={confirmRevokeAll}>
            {t('users.sessions.endAll')}
          </Button>
        )}
      </Group>
      <div>
        <DataTable
          label={t('users.sessions.title')}
          columns={sessionColumns(user, canEnd ? confirmRevoke : undefined)}
          rowId={({ id }) => id}
          query={query}
          {...paging}
          empty={
            <EmptyState icon={DevicesIcon} title={t('users.sessions.empty')}>
              {t('users.sessions.emptyText')}
            </EmptyState>
          }
        />
      </div>
    </Stack>
  );
}

/** Revokes one session or all sessions of a user after a confirmation. */
function useSessionRevocation(org: string, userId: string) {
  const outdates = [sessionsKey(org, userId)];
  const end = useApiMutation({
    mutationFn: (sessionId: string) =>
      unwrap(
        api.DELETE('/v1/organizations/{org}/users/{userId}/sessions/{sessionId}', {
          params: { path: { org, userId, sessionId } },
        }),
      ),
    invalidates: outdates,
    successMessage: t('users.sessions.ended'),
  });
  const endAll = useApiMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/v1/organizations/{org}/users/{userId}/sessions', { params: { path: { org, userId } } })),
    invalidates: outdates,
    successMessage: ({ data }) => t('users.sessions.allEnded', { count: data.sessionsRevoked }),
  });
  const confirmRevoke = (session: Session) =>
    confirm({
      title: t('users.sessions.endTitle'),
      consequences: t('users.sessions.endText', { device: deviceLabel(session) }),
      confirmLabel: t('users.sessions.end'),
      isDangerous: true,
      action: () => end.mutateAsync(session.id),
    });
  const confirmRevokeAll = () =>
    confirm({
      title: t('users.sessions.endAllTitle'),
      consequences: t('users.sessions.endAllText'),
      confirmLabel: t('users.sessions.endAll'),
      isDangerous: true,
      action: () => endAll.mutateAsync(undefined),
    });
  return { confirmRevoke, confirmRevokeAll };
}

const deviceLabel = ({ userAgent }: Session): string => deviceName(userAgent) ?? t('users.sessions.unknownDevice');
const column = createColumnHelper<Session>();

const sessionColumns = (user: User, onEnd?: (session: Session) => void) => [
  column.display({
    id: 'device',
    header: t('users.sessions.device'),
    cell: ({ row: { original } }) => (
      <Text size="sm" title={original.userAgent ?? undefined} className="breakable" miw={120} maw={240}>
        {deviceLabel(original)}
      </Text>
    ),
  }),
  column.accessor('ipAddress', { header: t('users.sessions.address'), cell: (cell) => cell.getValue() ?? '–' }),
  column.accessor('authenticationMethods', {
    header: t('users.sessions.methods'),
    cell: (cell) => authenticationMethodNames(cell.getValue()),
  }),
  column.accessor('organizationId', {
    header: t('users.sessions.organization'),
    cell: (cell) => (
      <Anchor component={Link} to={`/dashboard/organizations/${cell.getValue()}`} size="sm" className="breakable">
        {user.organizations.find(({ id }) => id === cell.getValue())?.name ?? cell.getValue()}
      </Anchor>
    ),
  }),
  column.accessor('lastSeenAt', { header: t('users.sessions.lastSeen'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
  column.accessor('createdAt', { header: t('users.sessions.since'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
  ...(onEnd
    ? [
        column.display({
          id: 'end',
          header: t('common.actions'),
          cell: ({ row: { original } }) => (
            <Button
              size="xs"
              variant="default"
              onClick={() => onEnd(original)}
              aria-label={t('users.sessions.endLabel', { device: deviceLabel(original) })}
            >
              {t('users.sessions.end')}
            </Button>
          ),
        }),
      ]
    : []),
];
