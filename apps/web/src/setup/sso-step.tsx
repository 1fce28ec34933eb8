import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../api/client';
import type { IdentityProvider } from '../dashboard/connections/identity-providers/provider-queries';
import { ProviderTest } from '../dashboard/connections/identity-providers/provider-test';
import { t } from '../texts';
import { confirm } from '../ui/confirm';
import { ErrorNotice } from '../ui/error-notice';
import { useApiMutation } from '../ui/use-api-mutation';
import { ProviderSetupForm } from './provider-setup-form';
import { providersKey, providersQuery } from './setup-queries';
import type { SetupScope } from './setup-scope';

/** Connects an identity provider, and tests the connection. */
export function SsoStep(scope: SetupScope) {
  const query = useQuery(providersQuery(scope));
  return (
    <Stack gap="lg">
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.map((provider) => (
        <ConnectedProvider key={provider.id} {...scope} provider={provider} />
      ))}
      {query.data && <ProviderSetupForm {...scope} isFirst={query.data.length === 0} />}
    </Stack>
  );
}

function ConnectedProvider({ client, org, provider }: SetupScope & { provider: IdentityProvider }) {
  const { id, name, issuer, trustedDomains } = provider;
  const remove = useApiMutation({
    mutationFn: () => unwrap(client.DELETE('/v1/organizations/{org}/identity-providers/{id}', { params: { path: { org, id } } })),
    invalidates: [providersKey(org)],
    successMessage: t('identityProviders.removed', { name }),
  });
  const openConfirmation = () =>
    confirm({
      title: t('identityProviders.removeTitle', { name }),
      consequences: t('identityProviders.removeConsequences'),
      confirmLabel: t('identityProviders.remove'),
      isDangerous: true,
      action: () => remove.mutateAsync(undefined),
    });
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={3} className="breakable">
            {name}
          </Title>
          <Button size="xs" variant="light" color="red" leftSection={<TrashIcon size={14} />} onClick={openConfirmation}>
            {t('identityProviders.remove')}
          </Button>
        </Group>
        <Text size="sm" className="breakable">
          {issuer}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {trustedDomains.length === 0
            ? t('setup.sso.trustsNone')
            : t('setup.sso.trusts', { domains: trustedDomains.join(', ') })}
        </Text>
        <ProviderTest client={client} org={org} provider={provider} isDirty={false} headingOrder={4} />
      </Stack>
    </Paper>
  );
}
