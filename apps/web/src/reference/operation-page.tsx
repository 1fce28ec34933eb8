import { Box, Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { t } from '../texts';
import { CodeBlock } from '../ui/code-block';
import { NotFoundPage } from '../ui/not-found-page';
import { PageHeader } from '../ui/page-header';
import {
  type ApiDocument,
  type ApiOperation,
  documentQuery,
  exampleOf,
  operationsOf,
  parametersOf,
  resolved,
  successOf,
} from './document';
import { InlineMarkdown, MarkdownText } from './markdown-text';
import classes from './reference.module.css';
import { samplesOf } from './samples/samples';
import { Field, SchemaFields } from './schema-fields';

interface Props {
  readonly document: ApiDocument;
  readonly operation: ApiOperation;
}

export function OperationPage() {
  const { data: document } = useSuspenseQuery(documentQuery);
  const { operation: id } = useParams({ strict: false });
  const operation = operationsOf(document).find(({ operationId }) => operationId === id);
  if (!operation) return <NotFoundPage />;
  return (
    <>
      <PageHeader title={operation.summary} />
      <Group gap="xs" mb="md">
        <Code fw={650}>{operation.method.toUpperCase()}</Code>
        <Code className="breakable">{operation.path}</Code>
      </Group>
      <div className={classes['columns']}>
        <Stack gap="lg">
          {operation.description && <MarkdownText text={operation.description} />}
          <Parameters document={document} operation={operation} />
          <RequestBody document={document} operation={operation} />
          <Responses document={document} operation={operation} />
        </Stack>
        <Stack gap="lg" className={classes['aside'] ?? ''}>
          <Samples document={document} operation={operation} />
          <ExampleResponse document={document} operation={operation} />
        </Stack>
      </div>
    </>
  );
}

const PLACES = ['path', 'query', 'header'] as const;

function Parameters({ document, operation }: Props) {
  const parameters = parametersOf(document, operation);
  return PLACES.map((place) => {
    const ofPlace = parameters.filter((parameter) => parameter.in === place);
    if (ofPlace.length === 0) return null;
    return (
      <Box key={place} component="section">
        <Title order={2}>{t(`reference.parameters.${place}`)}</Title>
        {ofPlace.map(({ name, description, required, schema }) => (
          <Field
            key={name}
            document={document}
            name={name}
            schema={description === undefined ? schema : { ...schema, description }}
            isRequired={required ?? false}
          />
        ))}
      </Box>
    );
  });
}

function RequestBody({ document, operation: { requestBody } }: Props) {
  if (!requestBody) return null;
  const [type, media] = Object.entries(requestBody.content)[0] ?? [];
  return (
    <Box component="section">
      <Title order={2}>{t('reference.body')}</Title>
      <Text size="sm" c="dimmed">
        {Object.keys(requestBody.content).join(', ') || type}
      </Text>
      {media?.schema && <SchemaFields document={document} schema={media.schema} />}
    </Box>
  );
}

function Responses({ document, operation }: Props) {
  return (
    <Box component="section">
      <Title order={2}>{t('reference.responses')}</Title>
      {Object.entries(operation.responses).map(([status, reference]) => {
        const { description, content } = resolved(document, reference);
        const schema = Object.values(content ?? {})[0]?.schema;
        return (
          <Box key={status} className={classes['field'] ?? ''}>
            <Text size="sm" className="breakable">
              <Code>{status}</Code> <InlineMarkdown text={description} />
            </Text>
            {status.startsWith('2') && schema && (
              <details className={classes['nested']}>
                <summary>{t('reference.fields')}</summary>
                <SchemaFields document={document} schema={schema} />
              </details>
            )}
          </Box>
        );
      })}
    </Box>
  );
}

function Samples({ document, operation }: Props) {
  const samples = samplesOf(document, operation);
  const [chosen, setChosen] = useLocalStorage({
    key: 'reference.language',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  const value = samples.some(({ language }) => language === chosen) ? chosen : 'curl';
  return (
    <Box component="section" aria-label={t('reference.samples')}>
      <Tabs value={value} onChange={(language) => language && setChosen(language)} keepMounted={false}>
        <Tabs.List>
          {samples.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            <CodeBlock label={language} value={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Box>
  );
}

function ExampleResponse({ document, operation }: Props) {
  const schema = successOf(document, operation)?.content?.['application/json']?.schema;
  if (!schema) return null;
  return (
    <Box component="section">
      <Title order={2} size="h3" mb="xs">
        {t('reference.exampleResponse')}
      </Title>
      <CodeBlock label={t('reference.exampleResponse')} value={JSON.stringify(exampleOf(document, schema), null, 2)} />
    </Box>
  );
}
