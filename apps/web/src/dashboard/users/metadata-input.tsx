import { JsonInput, type JsonInputProps } from '@mantine/core';
import { t } from '../../texts';
import { parseExactJson } from '../../ui/exact-json';

export function MetadataInput(input: Omit<JsonInputProps, 'label'>) {
  return (
    <JsonInput
      label={t('users.fields.metadata')}
      description={t('users.fields.metadataHint')}
      deserialize={parseExactJson as typeof JSON.parse}
      formatOnBlur
      validationError={t('users.fields.metadataInvalid')}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...input}
    />
  );
}
