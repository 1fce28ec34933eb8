import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { AppsIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { EmptyState } from '../../ui/empty-state';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';
import { AccessList } from '../../ui/access-list';
import { ApplicationIdentity } from '../../ui/application-identity';

type Grant = Schema<'OauthGrantResponse'>;

/** Lists what the user allowed applications to do. */
export const ApplicationsPage = () => (
  <>
    <PageHeader title={t('account.tabs.applications')} description={t('account.applications.description')} />
    <ConnectedApplications />
  </>
);

export function ConnectedApplications() {
  const query = useQuery({
    queryKey: ['own-oauth-grants'],
    queryFn: async () => (await unwrap(api.GET('/v1/auth/oauth-grants'))).data,
  });
  return (
    <>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={200} />}
      {query.data?.length === 0 && (
        <Paper withBorder>
          <EmptyState icon={AppsIcon} title={t('account.applications.emptyTitle')}>
            {t('account.applications.empty')}
          </EmptyState>
        </Paper>
      )}
      <Stack>
        {query.data?.map((grant) => (
          <GrantCard key={grant.id} grant={grant} />
        ))}
      </Stack>
    </>
  );
}

function GrantCard({ grant }: { grant: Grant }) {
  const { application, organization, scopes, resources, createdAt, lastUsedAt } = grant;
  const name = application?.name ?? t('account.applications.deleted');
  return (
    <Paper withBorder p="md" component="section" aria-label={`${name}, ${organization.name}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          {application ? <ApplicationIdentity application={application} /> : <Text fw={600}>{name}</Text>}
          <DisconnectButton grant={grant} name={name} />
        </Group>
        <Text size="sm" c="dimmed" component="div" className="breakable">
          {t('signIn.authorize.organization', { organization: organization.name })}
        </Text>
        <AccessList scopes={scopes} resources={resources} />
        <Text size="sm" c="dimmed" component="div">
          {t('account.applications.allowed')} <RelativeTime at={createdAt} /> · {t('account.applications.lastUsed')}{' '}
          <RelativeTime at={lastUsedAt} />
        </Text>
      </Stack>
    </Paper>
  );
}

function DisconnectButton({ grant: { id, organization }, name }: { grant: Grant; name: string }) {
  const disconnect = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/auth/oauth-grants/{id}', { params: { path: { id } } })),
    invalidates: [['own-oauth-grants']],
    successMessage: t('account.applications.disconnected', { name }),
  });
  const openConfirmation = () =>
    confirm({
      title: t('account.applications.disconnectTitle', { name }),
      consequences: t('account.applications.disconnectText', { organization: organization.name }),
      confirmLabel: t('account.applications.disconnect'),
      isDangerous: true,
      action: () => disconnect.mutateAsync(),
    });
  return (
    <Button
      variant="default"
      size="xs"
      onClick={openConfirmation}
      aria-label={t('account.applications.disconnectNamed', { name, organization: organization.name })}
    >
      {t('account.applications.disconnect')}
    </Button>
  );
}
