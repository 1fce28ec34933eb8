import { Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { baseUrl } from '../../api/base-url';
import { t } from '../../texts';
import { CodeBlock } from '../../ui/code-block';
import { CopyField } from '../../ui/copy-field';
import type { Application } from './application-queries';
import { SAMPLES, type SampleValues } from './snippets';
import { hasSecrets, useApplication } from './use-application';

/** The values that an application needs, and samples of code and configuration. */
export function ConnectTab() {
  const { application } = useApplication();
  return (
    <Stack gap="xl" maw={900}>
      <Values application={application} />
      <Samples application={application} />
    </Stack>
  );
}

function Values({ application }: { application: Application }) {
  const isMachine = application.type === 'machine';
  const values = [
    [t('applications.issuer'), baseUrl],
    [t('applications.clientId'), application.id],
    [t('applications.endpoints.discovery'), `${baseUrl}/.well-known/openid-configuration`],
    ...(isMachine ? [] : [[t('applications.endpoints.authorization'), `${baseUrl}/oauth/authorize`]]),
    [t('applications.endpoints.token'), `${baseUrl}/oauth/token`],
    ...(isMachine ? [] : [[t('applications.endpoints.userinfo'), `${baseUrl}/oauth/userinfo`]]),
    ...(isMachine ? [] : [[t('applications.endpoints.logout'), `${baseUrl}/oauth/logout`]]),
    [t('applications.endpoints.keys'), `${baseUrl}/.well-known/jwks.json`],
  ] as [string, string][];
  return (
    <Stack gap="xs">
      <Title order={2}>{t('applications.values')}</Title>
      {hasSecrets(application) && (
        <Text size="sm" c="dimmed">
          {t('applications.secretHint')}
        </Text>
      )}
      {values.map(([label, value]) => (
        <Group key={label} gap="xs" align="baseline">
          <Text fw={600} size="sm" w={200}>
            {label}
          </Text>
          <CopyField value={value} label={label} />
        </Group>
      ))}
    </Stack>
  );
}

function Samples({ application }: { application: Application }) {
  const samples = Object.entries(SAMPLES[application.type] ?? {});
  const [first] = samples;
  if (!first) return null;
  const values = sampleValuesOf(application);
  return (
    <Stack gap="xs">
      <Title order={2}>{t('applications.samples')}</Title>
      {hasSecrets(application) && (
        <Text size="sm" c="dimmed">
          {t('applications.samplesHint')}
        </Text>
      )}
      <Tabs defaultValue={first[0]} keepMounted={false}>
        <Tabs.List aria-label={t('applications.samples')} mb="sm">
          {samples.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(([name, sample]) => (
          <Tabs.Panel key={name} value={name}>
            <CodeBlock label={name} value={sample(values)} maxHeight={560} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

function sampleValuesOf({ id, redirectUris, resources }: Application): SampleValues {
  const [resource] = resources;
  return {
    issuer: baseUrl,
    clientId: id,
    redirectUri: redirectUris[0] ?? '',
    resource: resource?.identifier ?? baseUrl,
    scope: resource?.scopes.join(' ') ?? '',
  };
}
