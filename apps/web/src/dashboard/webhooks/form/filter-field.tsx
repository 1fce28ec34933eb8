import { Button, Group, Text, Textarea } from '@mantine/core';
import { CheckIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { validateFilter } from './validate-filter';

const FILTER_SAMPLES = [
  { name: 'hasValue', filter: { status: 'active' } },
  { name: 'oneOf', filter: { 'metadata.plan': { $in: ['pro', 'team'] } } },
  { name: 'becameSuspended', filter: { 'changes.status.to': 'suspended' } },
  { name: 'atLeast', filter: { $or: [{ failedAttempts: { $gte: 5 } }, { reason: { $exists: true } }] } },
] as const;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The validation error of the API. */
  readonly error?: React.ReactNode;
}

/** Edits the event filter as JSON and validates the input during typing. */
export function FilterField({ value, onChange, error }: Props) {
  const invalid = validateFilter(value);
  return (
    <div>
      <Textarea
        label={t('webhookForm.filter')}
        description={t('webhookForm.filterHint')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={invalid ?? error}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' } }}
      />
      {value.trim() !== '' && !invalid && !error && (
        <Group gap={4} mt={4}>
          <CheckIcon size={14} />
          <Text size="xs">{t('webhookForm.filterValid')}</Text>
        </Group>
      )}
      <Group gap="xs" mt="xs" role="group" aria-label={t('webhookForm.filterExamples')}>
        <Text size="xs" c="dimmed">
          {t('webhookForm.filterExamples')}:
        </Text>
        {FILTER_SAMPLES.map(({ name, filter }) => (
          <Button key={name} size="compact-xs" variant="default" onClick={() => onChange(JSON.stringify(filter, undefined, 2))}>
            {t(`webhookForm.filterSamples.${name}`)}
          </Button>
        ))}
      </Group>
    </div>
  );
}
