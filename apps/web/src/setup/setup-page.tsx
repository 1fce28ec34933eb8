import {
  Box,
  Button,
  Center,
  Container,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  Title,
  useComputedColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import { brandColors } from '../account/sign-in/brand-colors';
import { brandVariables, OrganizationLogo } from '../account/sign-in/organization-logo';
import { api, clientWithToken, type Schema, unwrap } from '../api/client';
import { DomainList } from '../dashboard/connections/domains/domain-list';
import { t } from '../texts';
import { ColorSchemeSwitch } from '../ui/color-scheme-switch';
import { ErrorNotice } from '../ui/error-notice';
import { formatDateTime } from '../ui/format-date-time';
import { PageHeader } from '../ui/page-header';
import { Wordmark } from '../ui/wordmark';
import { ScimStep } from './scim-step';
import { SetupEnd } from './setup-end';
import { StepDone, StepList, useFinishedSteps } from './setup-progress';
import { SsoStep } from './sso-step';
import type { SetupScope } from './setup-scope';
import { setupToken } from './setup-token';
import { WebhookStep } from './webhook-step';

/** The backgrounds of the page. */
const SURFACES = { light: '#ffffff', dark: '#242424' } as const;

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
  const organization = query.data?.organization;
  const scheme = useComputedColorScheme('light');
  const color = organization?.branding.primaryColor ?? null;
  return (
    <Container size="md" py="lg" component="main" style={organization && setupVariables(color, SURFACES[scheme])}>
      <Group justify="space-between" mb="xl">
        {organization ? <OrganizationLogo organization={organization} /> : <Wordmark />}
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
      {query.data && <Setup link={query.data} token={token} />}
      {organization && (
        <Center component="footer" mt="xl">
          <Wordmark />
        </Center>
      )}
    </Container>
  );
}

/** Text on filled buttons is white in both color schemes, so they have the form of the brand color for a white background. */
const setupVariables = (color: string | null, surface: string): CSSProperties => {
  const filled = color === null ? 'var(--mantine-color-indigo-filled)' : brandColors(color, SURFACES.light).accent;
  return {
    ...brandVariables(brandColors(color, surface)),
    '--mantine-primary-color-filled': filled,
    '--mantine-primary-color-filled-hover': color === null ? 'var(--mantine-color-indigo-filled-hover)' : filled,
  } as CSSProperties;
};

function Setup({ link: { organization, steps, expiresAt }, token }: { link: OpenedLink; token: string }) {
  const [client] = useState(() => clientWithToken(token));
  const [isAtEnd, setAtEnd] = useState(false);
  const scope: SetupScope = { client, org: organization.id, steps };
  const finished = useFinishedSteps(scope);
  const { name } = organization;
  return (
    <>
      {isAtEnd && <SetupEnd name={name} steps={steps} finished={finished} expiresAt={expiresAt} onBack={() => setAtEnd(false)} />}
      {/* Stays below the end, so that the forms keep what was typed. */}
      <div hidden={isAtEnd}>
        <PageHeader
          title={t('setup.title', { name })}
          description={t('setup.description', { time: formatDateTime(expiresAt) })}
        />
        <StepList steps={steps} finished={finished} withLinks />
        <Steps scope={scope} finished={finished} />
        <Group justify="flex-end" mt="xl">
          <Button size="md" onClick={() => setAtEnd(true)}>
            {t('setup.end.finish')}
          </Button>
        </Group>
      </div>
    </>
  );
}

function Steps({ scope, finished }: { scope: SetupScope; finished: ReturnType<typeof useFinishedSteps> }) {
  const contents = {
    domain: <DomainList client={scope.client} org={scope.org} canWrite headingOrder={3} />,
    sso: <SsoStep {...scope} />,
    scim: <ScimStep {...scope} />,
    webhook: <WebhookStep {...scope} />,
  };
  return (
    <Stack gap="xl" mt="lg">
      {scope.steps.map((step, index) => (
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
  );
}
