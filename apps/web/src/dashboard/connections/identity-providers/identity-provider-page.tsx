import { Alert, Anchor, Button, Grid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { AlertIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { ErrorNotice } from '../../../ui/error-notice';
import { notifySuccess } from '../../../ui/notify';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { ProviderForm, type ProviderFields } from './provider-form';
import { type IdentityProvider, providerQuery } from './provider-queries';
import { ProviderStatus } from './provider-status';
import { ProviderTest } from './provider-test';
import { RedirectUri } from './redirect-uri';

export function IdentityProviderPage() {
  const org = useOrganizationId();
  const { providerId } = useParams({ from: '/dashboard/organizations/$org/identity-providers/$providerId' });
  const canWrite = useHasPermission('organizations:write');
  const [isDirty, setDirty] = useState(false);
  const query = useQuery({ ...providerQuery(org, providerId), refetchOnWindowFocus: false });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={480} />;
  const { provider, etag } = query.data;
  return (
    <>
      <PageHeader
        title={provider.name}
        description={t('identityProviders.editDescription')}
        badge={<ProviderStatus provider={provider} />}
      />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <UnverifiedDomains org={org} names={provider.unverifiedDomains} />
            {/* The key resets the form to the saved values. */}
            <SettingsForm key={etag} provider={provider} etag={etag} isReadOnly={!canWrite} onDirty={setDirty} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="xl">
            <RedirectUri type={provider.type} issuer={provider.issuer} />
            {canWrite && <ProviderTest org={org} provider={provider} isDirty={isDirty} />}
            {canWrite && <Removal org={org} provider={provider} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function UnverifiedDomains({ org, names }: { org: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon size={20} />}
      title={t('identityProviders.unverifiedTitle', { names: names.join(', ') })}
    >
      <Text size="sm">{t('identityProviders.unverifiedText')}</Text>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/domains`} size="sm">
        {t('identityProviders.toDomains')}
      </Anchor>
    </Alert>
  );
}

interface SettingsProps {
  readonly provider: IdentityProvider;
  readonly etag: string;
  readonly isReadOnly: boolean;
  readonly onDirty: (isDirty: boolean) => void;
}

function SettingsForm({ provider, etag, isReadOnly, onDirty }: SettingsProps) {
  const org = useOrganizationId();
  const client = useQueryClient();
  const { id, name, issuer, clientId, hasClientSecret, trustedDomains, mfaTrusted, allowedClients, enabled } = provider;
  const update = useApiMutation({
    mutationFn: ({ issuer: newIssuer, clientSecret, removeSecret, ...fields }: ProviderFields) => {
      const params = { path: { org, id }, header: { 'If-Match': etag } };
      const secret = removeSecret ? { clientSecret: null } : clientSecret ? { clientSecret } : {};
      const body = { ...fields, ...(newIssuer ? { issuer: newIssuer } : {}), ...secret };
      return unwrap(api.PATCH('/v1/organizations/{org}/identity-providers/{id}', { params, body }));
    },
    invalidates: [
      ['identity-providers', org],
      ['organization', org],
    ],
    successMessage: ({ data }) => t('identityProviders.saved', { name: data.name }),
    onSuccess: () => onDirty(false),
  });
  const isOutdated = update.error instanceof ApiProblem && update.error.status === 412;
  return (
    <Stack>
      {isOutdated && (
        <Alert color="yellow" role="alert">
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{t('identityProviders.editConflict')}</Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => void client.invalidateQueries({ queryKey: ['identity-providers', org, id] })}
            >
              {t('identityProviders.reload')}
            </Button>
          </Stack>
        </Alert>
      )}
      <ProviderForm
        type={provider.type}
        initial={{
          name,
          issuer,
          clientId,
          clientSecret: '',
          removeSecret: false,
          trustedDomains,
          mfaTrusted,
          allowedClients,
          enabled,
        }}
        hasSecret={hasClientSecret}
        isReadOnly={isReadOnly}
        submitLabel={t('common.save')}
        change={isOutdated ? { ...update, error: null } : update}
        onDirty={onDirty}
      />
    </Stack>
  );
}

function Removal({ org, provider: { id, name } }: { org: string; provider: IdentityProvider }) {
  const navigate = useNavigate();
  const openConfirmation = () =>
    confirm({
      title: t('identityProviders.removeTitle', { name }),
      consequences: t('identityProviders.removeConsequences'),
      confirmLabel: t('identityProviders.remove'),
      typeToConfirm: name,
      isDangerous: true,
      action: async () => {
        await unwrap(api.DELETE('/v1/organizations/{org}/identity-providers/{id}', { params: { path: { org, id } } }));
        await navigate({ to: `/dashboard/organizations/${org}/identity-providers` });
        queryClient.removeQueries({ queryKey: ['identity-providers', org, id] });
        await queryClient.invalidateQueries({ queryKey: ['identity-providers', org] });
        notifySuccess(t('identityProviders.removed', { name }));
      },
    });
  return (
    <Stack gap="sm" align="flex-start" maw={640}>
      <Title order={2}>{t('identityProviders.removeHeading')}</Title>
      <Text size="sm" c="dimmed">
        {t('identityProviders.removeDescription')}
      </Text>
      <Button variant="light" color="red" leftSection={<TrashIcon size={16} />} onClick={openConfirmation}>
        {t('identityProviders.remove')}
      </Button>
    </Stack>
  );
}
