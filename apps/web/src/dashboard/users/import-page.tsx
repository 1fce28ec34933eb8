import { Alert, Anchor, Button, FileInput, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { useMay } from '../permissions';
import { ImportOutcomes } from './import-outcomes';
import { formatOf } from './import-run';
import { useImport } from './use-import';

const words = texts.userImport;
const EXAMPLE =
  'externalId,email,firstName,lastName,roles,metadata\r\n' +
  'hr-4711,ada@example.com,Ada,Lovelace,member,"{""team"":""engines""}"\r\n' +
  'hr-4712,grace@example.com,Grace,Hopper,member;viewer,\r\n';

/** Brings many users in from one file, and shows what became of each line. */
export function ImportPage() {
  const org = useOrganizationId();
  const mayWrite = useMay('users:write');
  const { progress, start, stop, reset } = useImport(org);
  const { state, outcomes, expected, error } = progress;
  const isRunning = state === 'running';
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/users`} size="sm">
        {texts.users.user.backToUsers}
      </Anchor>
      <PageHeader title={words.title} description={words.description} />
      <Stack gap="lg" maw={900}>
        {!mayWrite && <Alert color="gray">{words.notAllowed}</Alert>}
        {(state === 'idle' || state === 'refused') && <FileChoice disabled={!mayWrite} onStart={(file) => void start(file)} />}
        {state === 'refused' && <ErrorNotice error={error} />}
        {isRunning && (
          <Paper withBorder p="md">
            <Stack gap="sm">
              <Text aria-live="polite">{outcomes.length === 0 ? words.reading : words.progress(outcomes.length, expected)}</Text>
              <Progress
                value={expected === 0 ? 0 : Math.min(100, (outcomes.length / expected) * 100)}
                aria-label={words.progressLabel}
                animated
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={stop}>
                  {words.stop}
                </Button>
              </Group>
            </Stack>
          </Paper>
        )}
        {state !== 'idle' && state !== 'refused' && !isRunning && (
          <>
            <Ending progress={progress} />
            <Group>
              <Button variant="default" onClick={reset}>
                {words.another}
              </Button>
              <Button component={Link} to={`/dashboard/organizations/${org}/users`}>
                {words.toUsers}
              </Button>
            </Group>
          </>
        )}
        {outcomes.length > 0 && <ImportOutcomes org={org} outcomes={outcomes} isRunning={isRunning} />}
      </Stack>
    </>
  );
}

function Ending({ progress: { state, outcomes, error } }: { progress: ReturnType<typeof useImport>['progress'] }) {
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  if (state === 'stopped') return <Alert color="yellow" title={words.stopped} role="status" />;
  if (state === 'broken') return <ErrorNotice title={words.broken} error={error ?? words.broken} />;
  return (
    <Alert
      color={failed > 0 ? 'yellow' : 'green'}
      title={failed > 0 ? words.finishedWithErrors(failed) : words.finished}
      role="status"
    />
  );
}

function FileChoice({ disabled, onStart }: { disabled: boolean; onStart: (file: File) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const isUnknown = file !== null && formatOf(file.name) === undefined;
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file && !isUnknown) onStart(file);
        }}
      >
        <Stack>
          <FileInput
            label={words.file}
            description={words.fileHint}
            placeholder={words.choose}
            accept=".ndjson,.jsonl,.csv,application/x-ndjson,text/csv"
            leftSection={<IconFileUpload size={18} aria-hidden />}
            value={file}
            onChange={setFile}
            error={isUnknown ? words.notText : undefined}
            disabled={disabled}
            clearable
            clearButtonProps={{ 'aria-label': texts.common.remove }}
          />
          <List size="sm" spacing={4}>
            {words.rules.map((rule) => (
              <List.Item key={rule}>{rule}</List.Item>
            ))}
          </List>
          <Stack gap={4}>
            <Title order={2} size="h3">
              {words.columns}
            </Title>
            <Text size="sm" className="breakable">
              {words.columnsText}
            </Text>
            <Anchor size="sm" href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`} download="users-example.csv">
              {words.exampleCsv}
            </Anchor>
          </Stack>
          <Group justify="flex-end">
            <Button type="submit" disabled={disabled || file === null || isUnknown}>
              {words.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
