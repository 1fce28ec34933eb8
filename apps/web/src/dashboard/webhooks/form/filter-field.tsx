import { Button, Group, Text, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { texts } from '../../../texts';
import { filterComplaint } from './filter-complaint';

const words = texts.webhookForm;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the service said of it. */
  readonly error?: React.ReactNode;
}

/** A condition on events as JSON, judged while it is typed. */
export function FilterField({ value, onChange, error }: Props) {
  const complaint = filterComplaint(value);
  return (
    <div>
      <Textarea
        label={words.filter}
        description={words.filterHint}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={complaint ?? error}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' } }}
      />
      {value.trim() !== '' && !complaint && !error && (
        <Group gap={4} mt={4}>
          <IconCheck size={14} aria-hidden />
          <Text size="xs">{words.filterValid}</Text>
        </Group>
      )}
      <Group gap="xs" mt="xs" role="group" aria-label={words.filterExamples}>
        <Text size="xs" c="dimmed">
          {words.filterExamples}:
        </Text>
        {words.filterSamples.map(({ label, filter }) => (
          <Button key={label} size="compact-xs" variant="default" onClick={() => onChange(JSON.stringify(filter, undefined, 2))}>
            {label}
          </Button>
        ))}
      </Group>
    </div>
  );
}
