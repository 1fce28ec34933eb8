import { Paper, Tabs, Text, Title } from '@mantine/core';
import { t } from '../../../texts';
import { CodeBlock } from '../../../ui/code-block';

const FILES = import.meta.glob<string>('./samples/verify.*', { query: '?raw', import: 'default', eager: true });
const LANGUAGES = { Node: 'mjs', Python: 'py', Go: 'go', PHP: 'php' };
const HEADER_IN_SAMPLES = 'service-signature';

/** Shows code that verifies signatures, with the header name of this service. */
export function CodeSamples({ headerName }: { headerName: string }) {
  const named = (sample: string) =>
    sample.replaceAll(HEADER_IN_SAMPLES, headerName).replaceAll(serverVariable(HEADER_IN_SAMPLES), serverVariable(headerName));
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('webhookSigning.samplesTitle')}>
      <Title order={2} mb="xs">
        {t('webhookSigning.samplesTitle')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('webhookSigning.samplesExplained')}
      </Text>
      <Tabs defaultValue="Node" keepMounted={false}>
        <Tabs.List aria-label={t('webhookSigning.samplesLanguage')} mb="sm">
          {Object.keys(LANGUAGES).map((language) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(LANGUAGES).map(([language, ending]) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock label={language} value={named(FILES[`./samples/verify.${ending}`] ?? '')} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}

/** Returns the PHP server variable of a header. */
const serverVariable = (header: string): string => `HTTP_${header.toUpperCase().replaceAll('-', '_')}`;
