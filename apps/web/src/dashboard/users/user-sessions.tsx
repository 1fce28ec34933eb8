import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { DevicesIcon } from '@primer/octicons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { answerOf, api, type Schema } from '../../api/client';
import { t } from '../../texts';
import { authenticationMethodNames } from '../../ui/authentication-methods';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { deviceOf } from '../../ui/device';
import { EmptyState } from '../../ui/empty-state';
import { Moment } from '../../ui/moment';
import { useChange } from '../../ui/use-change';
import { useMay } from '../permissions';
import type { User } from './user-queries';

type Session = Schema<'SessionResponse'>;

const sessionsKey = (org: string, userId: string) => ['user-sessions', org, userId] as const;
const sessionsQuery = (org: string, userId: string, page: number) =>
  queryOptions({
    queryKey: [...sessionsKey(org, userId), page],
    queryFn: () =>
      answerOf(
        api.GET('/v1/organizations/{org}/users/{userId}/sessions', { params: { path: { org, userId }, query: { page } } }),
      ),
  });

interface Props {
  readonly org: string;
  readonly user: User;
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
}

/** Lists and revokes the sessions of a user. */
export function UserSessions({ org, user, page = 1, onPage }: Props) {
  const mayEnd = useMay('sessions:write');
  const query = useQuery({ ...sessionsQuery(org, user.id, page), placeholderData: keepPreviousData });
  const { askEnd, askEndAll } = useSessionRevocation(org, user.id);
  const hasSome = (query.data?.pagination.total ?? 0) > 0;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('users.sessions.title')}</Title>
        {mayEnd && hasSome && (
          <Button variant="default" onClick={askEndAll}>
            {t('users.sessions.endAll')}
          </Button>
        )}
      </Group>
      <div>
        <DataTable
          label={t('users.sessions.title')}
          columns={sessionColumns(user, mayEnd ? askEnd : undefined)}
          rowId={({ id }) => id}
          query={query}
          onPage={onPage}
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
  const end = useChange({
    run: (sessionId: string) =>
      answerOf(
        api.DELETE('/v1/organizations/{org}/users/{userId}/sessions/{sessionId}', {
          params: { path: { org, userId, sessionId } },
        }),
      ),
    outdates,
    done: t('users.sessions.ended'),
  });
  const endAll = useChange({
    run: () => answerOf(api.DELETE('/v1/organizations/{org}/users/{userId}/sessions', { params: { path: { org, userId } } })),
    outdates,
    done: ({ data }) => t('users.sessions.allEnded', { count: data.sessionsRevoked }),
  });
  const askEnd = (session: Session) =>
    confirm({
      title: t('users.sessions.endTitle'),
      consequences: t('users.sessions.endText', { device: nameOfDevice(session) }),
      confirmLabel: t('users.sessions.end'),
      isDangerous: true,
      action: () => end.mutateAsync(session.id),
    });
  const askEndAll = () =>
    confirm({
      title: t('users.sessions.endAllTitle'),
      consequences: t('users.sessions.endAllText'),
      confirmLabel: t('users.sessions.endAll'),
      isDangerous: true,
      action: () => endAll.mutateAsync(undefined),
    });
  return { askEnd, askEndAll };
}

const nameOfDevice = ({ userAgent }: Session): string => deviceOf(userAgent) ?? t('users.sessions.unknownDevice');
const column = createColumnHelper<Session>();

const sessionColumns = (user: User, onEnd?: (session: Session) => void) => [
  column.display({
    id: 'device',
    header: t('users.sessions.device'),
    cell: ({ row: { original } }) => (
      <Text size="sm" title={original.userAgent ?? undefined} className="breakable" miw={120} maw={240}>
        {nameOfDevice(original)}
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
  column.accessor('lastSeenAt', { header: t('users.sessions.lastSeen'), cell: (cell) => <Moment at={cell.getValue()} /> }),
  column.accessor('createdAt', { header: t('users.sessions.since'), cell: (cell) => <Moment at={cell.getValue()} /> }),
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
              aria-label={t('users.sessions.endLabel', { device: nameOfDevice(original) })}
            >
              {t('users.sessions.end')}
            </Button>
          ),
        }),
      ]
    : []),
];
