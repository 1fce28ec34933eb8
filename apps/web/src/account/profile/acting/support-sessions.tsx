import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { PeopleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorNotice } from '../../../ui/error-notice';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useApiMutation } from '../../../ui/use-api-mutation';

type Impersonation = Schema<'ImpersonationResponse'>;
type Verb = 'approve' | 'deny' | 'end';

const KEY = ['own-impersonations'];
const LIMIT = 50;
/** An impersonator can ask or start at any time. */
const POLL_MS = 10_000;

/** Lists who signed in, or asked to sign in, as the user for support. */
export function SupportSessions() {
  const query = useQuery({
    queryKey: KEY,
    queryFn: async () => (await unwrap(api.GET('/v1/auth/impersonations', { params: { query: { limit: LIMIT } } }))).data,
    refetchInterval: POLL_MS,
  });
  return (
    <>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={120} />}
      {query.data?.length === 0 && (
        <Paper withBorder>
          <EmptyState icon={PeopleIcon} title={t('acting.support.emptyTitle')}>
            {t('acting.support.empty')}
          </EmptyState>
        </Paper>
      )}
      <Stack>
        {query.data?.map((each) => (
          <SupportSession key={each.id} impersonation={each} />
        ))}
      </Stack>
    </>
  );
}

function SupportSession({ impersonation }: { impersonation: Impersonation }) {
  const { impersonatorEmail, impersonatorId, reason, status, createdAt, startedAt } = impersonation;
  const who = impersonatorEmail || impersonatorId;
  return (
    <Paper withBorder p="md" component="article" aria-label={who}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Group gap="xs">
            <Text fw={600} className="breakable">
              {who}
            </Text>
            <StatusBadge status={status} label={t(`impersonation.statuses.${status}`)} />
          </Group>
          <Actions impersonation={impersonation} who={who} />
        </Group>
        <Text size="sm" className="breakable">
          {reason}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {startedAt ? t('acting.support.started') : t('acting.support.asked')} <RelativeTime at={startedAt ?? createdAt} />
        </Text>
      </Stack>
    </Paper>
  );
}

function Actions({ impersonation: { id, status, approval }, who }: { impersonation: Impersonation; who: string }) {
  const act = useApiMutation({
    mutationFn: (verb: Verb) => {
      const params = { path: { id } };
      if (verb === 'approve') return unwrap(api.POST('/v1/auth/impersonations/{id}/approve', { params }));
      if (verb === 'deny') return unwrap(api.POST('/v1/auth/impersonations/{id}/deny', { params }));
      return unwrap(api.POST('/v1/auth/impersonations/{id}/end', { params }));
    },
    invalidates: [KEY],
  });
  const verbs: readonly Verb[] =
    status === 'pending'
      ? [...(approval === 'user' ? (['approve'] as const) : []), 'deny']
      : status === 'approved' || status === 'active'
        ? ['end']
        : [];
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {verbs.map((verb) => (
          <Button
            key={verb}
            size="xs"
            variant={verb === 'approve' ? 'filled' : 'default'}
            loading={act.isPending && act.variables === verb}
            onClick={() => act.mutate(verb)}
            aria-label={t('impersonation.named', { action: t(`impersonation.${verb}`), who })}
          >
            {t(`impersonation.${verb}`)}
          </Button>
        ))}
      </Group>
      {act.error && <ErrorNotice error={act.error} />}
    </Stack>
  );
}
