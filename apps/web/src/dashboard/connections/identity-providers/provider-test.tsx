import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { CheckCircleIcon, LinkExternalIcon, PlugIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { api, type ApiClient, unwrap } from '../../../api/client';
import { baseUrl } from '../../../api/base-url';
import { type KeyUnder, t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import type { IdentityProvider } from './provider-queries';

interface Props {
  /** The client of the page. Default: the client with the session. */
  readonly client?: ApiClient;
  readonly org: string;
  readonly provider: IdentityProvider;
  readonly isDirty: boolean;
  readonly headingOrder?: 2 | 4;
}

/** Tests the discovery of a provider and links to a test sign-in. */
export function ProviderTest({ client = api, org, provider, isDirty, headingOrder = 2 }: Props) {
  const check = useMutation({
    mutationFn: async () => {
      const params = { path: { org, id: provider.id } };
      return (await unwrap(client.POST('/v1/organizations/{org}/identity-providers/{id}/check', { params }))).data;
    },
  });
  const signIn = `${baseUrl}/v1/auth/oidc/start?${new URLSearchParams({ organization: org, provider: provider.id })}`;
  return (
    <Stack gap="sm" align="flex-start" maw={640}>
      <Title order={headingOrder}>{t('identityProviders.testHeading')}</Title>
      <Text size="sm" c="dimmed">
        {t(`identityProviders.testDescription.${provider.type}`)}
      </Text>
      <Text size="sm">
        {provider.testedAt === null
          ? t('identityProviders.untestedHint')
          : t('identityProviders.tested', { at: formatDateTime(provider.testedAt) })}
      </Text>
      {isDirty && <Text size="sm">{t('identityProviders.unsaved')}</Text>}
      <Group>
        <Button
          variant="default"
          leftSection={<PlugIcon size={16} />}
          onClick={() => check.mutate()}
          loading={check.isPending}
          disabled={isDirty}
        >
          {t('identityProviders.check')}
        </Button>
        {provider.enabled && !isDirty && (
          <Button
            component="a"
            href={signIn}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<LinkExternalIcon size={16} />}
          >
            {t('identityProviders.testSignIn')}
          </Button>
        )}
      </Group>
      {!provider.enabled && <Text size="sm">{t('identityProviders.testDisabled')}</Text>}
      <div role="status">{check.data && <Outcome provider={provider} outcome={check.data} />}</div>
      {check.error && <ErrorNotice error={check.error} />}
      {provider.enabled && (
        <Stack gap={4}>
          <Text size="xs" c="dimmed">
            {t('identityProviders.testSignInHint')}
          </Text>
          <CopyField value={signIn} label={t('identityProviders.testLink')} />
        </Stack>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  readonly provider: IdentityProvider;
  readonly outcome: {
    readonly usable: boolean;
    readonly problem?: {
      readonly code: KeyUnder<'identityProviders.problems'> | 'unexpected_answer';
      readonly message: string;
    };
  };
}

function Outcome({ provider: { type, issuer }, outcome: { usable, problem } }: OutcomeProps) {
  if (usable || !problem) {
    return (
      <Alert color="green" icon={<CheckCircleIcon size={20} />} title={t(`identityProviders.usable.${type}`)}>
        {t('identityProviders.usableNext')}
      </Alert>
    );
  }
  const title =
    problem.code === 'unexpected_answer'
      ? t(`identityProviders.unexpectedAnswer.${type}`)
      : t(`identityProviders.problems.${problem.code}`);
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return (
    <Alert color="red" title={title}>
      <Stack gap="xs">
        <Text size="sm" className="breakable">
          {problem.message}
        </Text>
        {type === 'oidc' && problem.code !== 'other_issuer' && (
          <Text size="sm" className="breakable">
            {t('identityProviders.lookAt')}{' '}
            <Anchor href={discovery} target="_blank" rel="noreferrer" inherit underline="always">
              {discovery}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
