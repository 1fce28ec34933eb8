import { Box, Code, Group, Stack, Text } from '@mantine/core';
import { t } from '../texts';
import { type ApiDocument, type ApiSchema, nameOf, resolvedSchema } from './document';
import { InlineMarkdown } from './markdown-text';
import classes from './reference.module.css';

const DEPTH_MAX = 6;

interface Props {
  readonly document: ApiDocument;
  readonly schema: ApiSchema;
  readonly depth?: number;
}

/** The fields of an object, with the fields of nested objects on demand. */
export function SchemaFields({ document, schema, depth = 0 }: Props) {
  const own = resolvedSchema(document, schema);
  if (own.oneOf)
    return (
      <Stack gap="xs">
        {own.oneOf.map((choice, index) => (
          <Nested
            key={nameOf(choice) ?? index}
            title={nameOf(choice) ?? `${index + 1}`}
            {...{ document, schema: choice, depth }}
          />
        ))}
      </Stack>
    );
  const items = own.items && resolvedSchema(document, own.items);
  if (items) return <SchemaFields document={document} schema={items} depth={depth} />;
  return (
    <Stack gap={0}>
      {Object.entries(own.properties ?? {}).map(([name, field]) => (
        <Field key={name} {...{ document, name, schema: field, depth }} isRequired={own.required?.includes(name) ?? false} />
      ))}
    </Stack>
  );
}

interface FieldProps extends Props {
  readonly name: string;
  readonly isRequired: boolean;
}

export function Field({ document, name, schema, isRequired, depth = 0 }: FieldProps) {
  const own = resolvedSchema(document, schema);
  const items = own.items && resolvedSchema(document, own.items);
  const hasFields = own.properties ?? own.oneOf ?? items?.properties ?? items?.oneOf;
  return (
    <Box className={classes['field']}>
      <Group gap="xs">
        <Text fw={650} ff="monospace" size="sm" className="breakable">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {typeText(document, own)}
        </Text>
        {isRequired && (
          <Text size="xs" fw={650}>
            {t('reference.required')}
          </Text>
        )}
      </Group>
      {own.description && (
        <Text size="sm" className="breakable">
          <InlineMarkdown text={own.description} />
        </Text>
      )}
      <Limits schema={own} />
      {hasFields && depth < DEPTH_MAX && <Nested title={t('reference.fields')} document={document} schema={own} depth={depth} />}
    </Box>
  );
}

function Nested({ title, ...props }: Props & { readonly title: string }) {
  return (
    <details className={classes['nested']}>
      <summary>{title}</summary>
      <SchemaFields {...props} depth={(props.depth ?? 0) + 1} />
    </details>
  );
}

function Limits({ schema }: { schema: ApiSchema }) {
  const { enum: choices, default: initial, example, minLength, maxLength, minimum, maximum } = schema;
  const lines = [
    ...(choices ? [`${t('reference.oneOf')} ${choices.map(String).join(', ')}`] : []),
    ...rangeText(t('reference.length'), minLength, maxLength),
    ...rangeText(t('reference.value'), minimum, maximum),
    ...(initial === undefined ? [] : [`${t('reference.default')} ${JSON.stringify(initial)}`]),
  ];
  return (
    <>
      {lines.map((line) => (
        <Text key={line} size="xs" c="dimmed" className="breakable">
          {line}
        </Text>
      ))}
      {example !== undefined && (
        <Text size="xs" c="dimmed" className="breakable">
          {t('reference.example')} <Code>{JSON.stringify(example)}</Code>
        </Text>
      )}
    </>
  );
}

function rangeText(label: string, least: number | undefined, most: number | undefined): string[] {
  if (most === undefined) return least === undefined ? [] : [`${label} ≥ ${least}`];
  return [least === undefined ? `${label} ≤ ${most}` : `${label} ${least}–${most}`];
}

/** Returns the type of a schema: "string", "array of UserRole or null". */
function typeText(document: ApiDocument, { type, format, items }: ApiSchema): string {
  const types = [type ?? 'object'].flat().map((each) => {
    if (each !== 'array' || !items) return each;
    return `${each} (${nameOf(items) ?? typeText(document, resolvedSchema(document, items))})`;
  });
  return `${types.join(' | ')}${format ? ` · ${format}` : ''}`;
}
