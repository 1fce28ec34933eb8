import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CheckCircleIcon, ChecklistIcon } from '@primer/octicons-react';
import { t } from '../texts';
import { formatDateTime } from '../ui/format-date-time';
import { StepList } from './setup-progress';
import type { SetupScope } from './setup-scope';

interface Props {
  readonly name: string;
  readonly steps: SetupScope['steps'];
  readonly finished: ReadonlySet<SetupScope['steps'][number]>;
  readonly expiresAt: string;
  readonly onBack: () => void;
}

/** The end of the setup: what is set up, what is missing, and until when the link works. */
export function SetupEnd({ name, steps, finished, expiresAt, onBack }: Props) {
  const isDone = finished.size === steps.length;
  const Icon = isDone ? CheckCircleIcon : ChecklistIcon;
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" color={isDone ? 'green' : 'gray'} size={48} radius="xl" aria-hidden>
          <Icon size={28} />
        </ThemeIcon>
        <Title order={1} tabIndex={-1} ref={(heading) => heading?.focus()} className="breakable">
          {isDone ? t('setup.end.doneTitle', { name }) : t('setup.end.openTitle')}
        </Title>
      </Group>
      <Text>{isDone ? t('setup.end.done') : t('setup.end.open', { time: formatDateTime(expiresAt) })}</Text>
      <StepList steps={steps} finished={finished} />
      <Group>
        <Button variant="default" onClick={onBack}>
          {t('setup.end.back')}
        </Button>
      </Group>
    </Stack>
  );
}
