import { Progress, Stack, Text } from '@mantine/core';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { dialogs } from '../../../ui/dialogs';
import { BulkResults } from './bulk-results';
import { type BatchResults, runBatch, type SendBatch } from './run-batch';

/** A person whom an action changes. `org` is the organization to which the request goes. */
interface BulkPerson {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly email: string;
}

interface BulkChange<Input> {
  readonly title: string;
  readonly text?: string;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  readonly people: readonly BulkPerson[];
  /** The number of selected people to whom the action does not apply. */
  readonly leftOutCount?: number;
  readonly initial: Input;
  readonly fields?: (onChange: (changes: Partial<Input>) => void) => ReactNode;
  readonly isComplete?: (input: Input) => boolean;
  readonly send: (input: Input) => SendBatch;
  /** Prefixes of the query keys to invalidate. */
  readonly invalidates: readonly QueryKey[];
  /** Called with the ids of the people for whom the action succeeded. */
  readonly onDone: (succeededIds: ReadonlySet<string>) => void;
}

/** Asks for the confirmation of a change of several people, makes it, and shows the result of each person. */
export function openBulkDialog<Input>(change: BulkChange<Input>): void {
  const dialogId = dialogs.open({
    title: change.title,
    size: 'lg',
    children: <BulkForm {...change} onClose={() => dialogs.close(dialogId)} />,
  });
}

function BulkForm<Input>({ people, leftOutCount = 0, initial, onClose, ...change }: BulkChange<Input> & { onClose: () => void }) {
  const client = useQueryClient();
  const [input, setInput] = useState(initial);
  const [results, setResults] = useState<BatchResults>();
  const [isRunning, setRunning] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    const done = await runBatch(people, change.send(input), setResults);
    setRunning(false);
    change.onDone(new Set(people.map(({ id }) => id).filter((id) => !done.get(id)?.problem)));
    await Promise.all(change.invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  if (results && !isRunning) {
    const items = people.map(({ id, name, email }) => ({ id, name, detail: email }));
    return <BulkResults items={items} results={results} onClose={onClose} />;
  }
  return (
    <form onSubmit={(event) => void run(event)}>
      <Stack>
        {change.text !== undefined && <Text size="sm">{change.text}</Text>}
        {change.fields?.((changes) => setInput((before) => ({ ...before, ...changes })))}
        {leftOutCount > 0 && (
          <Text size="sm" c="dimmed">
            {t('users.bulk.leftOut', { count: leftOutCount })}
          </Text>
        )}
        {isRunning && <Progress value={100} striped animated aria-label={t('users.bulk.running')} />}
        <DialogButtons
          submitLabel={change.submitLabel}
          isPending={isRunning}
          isDisabled={people.length === 0 || change.isComplete?.(input) === false}
          isDangerous={change.isDangerous}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
