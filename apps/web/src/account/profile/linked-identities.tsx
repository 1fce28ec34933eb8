import { ActionIcon, Group, Paper, Stack, Text, Title, Tooltip } from '@mantine/core';
import { UnlinkIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';

/** Renders nothing when the user has no linked identity provider. */
export function LinkedIdentities() {
  const query = useQuery({
    queryKey: ['own-identities'],
    queryFn: async () => (await unwrap(api.GET('/v1/auth/identities'))).data.identities,
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data || query.data.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3">
        {t('account.identities.heading')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('account.identities.text')}
      </Text>
      <Stack gap="md">
        {query.data.map((identity) => (
          <Identity key={identity.identityProviderId} identity={identity} />
        ))}
      </Stack>
    </Paper>
  );
}

function Identity({ identity }: { identity: Schema<'IdentityResponse'> }) {
  const { identityProviderId, provider, externalId, linkedAt } = identity;
  const unlink = useApiMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/v1/auth/identities/{identityProviderId}', { params: { path: { identityProviderId } } })),
    invalidates: [['own-identities'], ['own-sessions']],
    successMessage: t('account.identities.unlinked'),
  });
  const openConfirmation = () =>
    confirm({
      title: t('account.identities.unlinkTitle', { provider }),
      consequences: t('account.identities.unlinkText'),
      confirmLabel: t('account.identities.unlink'),
      isDangerous: true,
      action: () => unlink.mutateAsync(),
    });
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text fw={600} className="breakable">
          {provider}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {externalId} · {t('account.identities.linked')} <RelativeTime at={linkedAt} />
        </Text>
      </div>
      <Tooltip label={t('account.identities.unlink')}>
        <ActionIcon
          variant="subtle"
          color="red"
          onClick={openConfirmation}
          aria-label={`${t('account.identities.unlink')}: ${provider}`}
        >
          <UnlinkIcon size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
