import { Badge, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { DeviceDesktopIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { authenticationMethodNames } from '../../ui/authentication-methods';
import { confirm } from '../../ui/confirm';
import { deviceName } from '../../ui/device';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { notifySuccess } from '../../ui/notify';
import { PageHeader } from '../../ui/page-header';
import { useApiMutation } from '../../ui/use-api-mutation';

const LIMIT = 100;

export function SessionsPage() {
  const query = useQuery({
    queryKey: ['own-sessions'],
    queryFn: async () => (await unwrap(api.GET('/v1/auth/sessions', { params: { query: { limit: LIMIT } } }))).data,
  });
  const endOthers = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/auth/sessions')),
    invalidates: [['own-sessions']],
    onSuccess: ({ data }) => notifySuccess(t('account.sessions.ended', { count: data.sessionsRevoked })),
  });
  const confirmRevokeOthers = () =>
    confirm({
      title: t('account.sessions.endOthersTitle'),
      consequences: t('account.sessions.endOthersText'),
      confirmLabel: t('account.sessions.endOthers'),
      isDangerous: true,
      action: () => endOthers.mutateAsync(),
    });
  return (
    <>
      <PageHeader
        title={t('account.sessions.title')}
        description={t('account.sessions.description')}
        actions={
          (query.data?.length ?? 0) > 1 && (
            <Button color="red" variant="light" onClick={confirmRevokeOthers}>
              {t('account.sessions.endOthers')}
            </Button>
          )
        }
      />
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={200} />}
      <Stack>
        {query.data?.map((session) => (
          <SessionCard key={session.id} session={session} />
        ))}
      </Stack>
    </>
  );
}

function SessionCard({ session }: { session: Schema<'OwnSessionResponse'> }) {
  const { id, userAgent, ipAddress, createdAt, lastSeenAt, authenticationMethods, current } = session;
  const device = deviceName(userAgent) ?? t('account.sessions.unknownDevice');
  const end = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/auth/sessions/{id}', { params: { path: { id } } })),
    invalidates: [['own-sessions']],
    successMessage: t('account.sessions.endedOne'),
  });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap">
        <Group wrap="nowrap" align="flex-start">
          <DeviceDesktopIcon size={20} />
          <div>
            <Group gap="xs">
              <Text fw={600} className="breakable">
                {device}
              </Text>
              {current && (
                <Badge color="green" variant="light" tt="none">
                  {t('account.sessions.current')}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {ipAddress ?? t('common.none')} · {t('account.sessions.methods')}:{' '}
              {authenticationMethodNames(authenticationMethods)}
            </Text>
            <Text size="sm" c="dimmed">
              {t('account.sessions.signedIn')} <RelativeTime at={createdAt} /> · {t('account.sessions.lastSeen')}{' '}
              <RelativeTime at={lastSeenAt} />
            </Text>
          </div>
        </Group>
        {!current && (
          <Button
            variant="default"
            size="xs"
            onClick={() => end.mutate()}
            loading={end.isPending}
            aria-label={t('account.sessions.endNamed', { device })}
          >
            {t('account.sessions.end')}
          </Button>
        )}
      </Group>
      {end.error && <ErrorNotice error={end.error} />}
    </Paper>
  );
}
