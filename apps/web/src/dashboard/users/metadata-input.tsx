import { JsonInput, type JsonInputProps } from '@mantine/core';
import { texts } from '../../texts';

const { fields } = texts.users;

/** Metadata as JSON. */
export function MetadataInput(input: Omit<JsonInputProps, 'label'>) {
  return (
    <JsonInput
      label={fields.metadata}
      description={fields.metadataHint}
      formatOnBlur
      validationError={fields.metadataInvalid}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...input}
    />
  );
}
