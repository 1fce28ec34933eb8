import { Box, Container, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, clientWithToken, type Schema, unwrap } from '../api/client';
import { DomainList } from '../dashboard/connections/domains/domain-list';
import { t } from '../texts';
import { ColorSchemeSwitch } from '../ui/color-scheme-switch';
import { ErrorNotice } from '../ui/error-notice';
import { formatDateTime } from '../ui/format-date-time';
import { PageHeader } from '../ui/page-header';
import { Wordmark } from '../ui/wordmark';
import { ScimStep } from './scim-step';
import { SetupProgress, StepDone, useFinishedSteps } from './setup-progress';
import { SsoStep } from './sso-step';
import type { SetupScope } from './setup-scope';
import { setupToken } from './setup-token';
import { WebhookStep } from './webhook-step';

type OpenedLink = Schema<'OpenedSetupLinkResponse'>;

/** The page of a setup link, for a person without an account. */
export function SetupPage() {
  const [token] = useState(setupToken);
  const query = useQuery({
    queryKey: ['setup-link'],
    queryFn: async () => (await unwrap(api.POST('/v1/auth/setup-links/open', { body: { token } }))).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
  });
  return (
    <Container size="md" py="lg" component="main">
      <Group justify="space-between" mb="xl">
        <Wordmark />
        <ColorSchemeSwitch />
      </Group>
      {token === '' && <PageHeader title={t('setup.noLinkTitle')} description={t('setup.noLink')} />}
      {query.error && (
        <>
          <PageHeader title={t('setup.invalidTitle')} />
          <ErrorNotice error={query.error} />
        </>
      )}
      {token !== '' && query.isPending && <Skeleton h={240} />}
      {query.data && <Steps link={query.data} token={token} />}
    </Container>
  );
}

function Steps({ link: { organization, steps, expiresAt }, token }: { link: OpenedLink; token: string }) {
  const [client] = useState(() => clientWithToken(token));
  const scope: SetupScope = { client, org: organization.id, steps };
  const finished = useFinishedSteps(scope);
  const contents = {
    domain: <DomainList client={client} org={organization.id} canWrite headingOrder={3} />,
    sso: <SsoStep {...scope} />,
    scim: <ScimStep {...scope} />,
    webhook: <WebhookStep {...scope} />,
  };
  return (
    <>
      <PageHeader
        title={t('setup.title', { name: organization.name })}
        description={t('setup.description', { time: formatDateTime(expiresAt) })}
      />
      <SetupProgress steps={steps} finished={finished} />
      <Stack gap="xl">
        {steps.map((step, index) => (
          <Paper key={step} withBorder p="lg" component="section" aria-labelledby={`step-${step}`}>
            <Stack gap="md">
              <Box>
                <Group gap="sm">
                  <Title order={2} id={`step-${step}`}>
                    {index + 1}. {t(`setup.${step}.title`)}
                  </Title>
                  {finished.has(step) && <StepDone />}
                </Group>
                <Text c="dimmed" size="sm">
                  {t(`setup.${step}.description`)}
                </Text>
              </Box>
              {contents[step]}
            </Stack>
          </Paper>
        ))}
      </Stack>
    </>
  );
}
