import { Alert, Anchor, Button, FileInput, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { UploadIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { choices, t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { ImportOutcomes } from './import-outcomes';
import { formatOf } from './import-users';
import { PasswordMigration } from './password-migration';
import { useImport } from './use-import';

const EXAMPLE =
  'externalId,email,firstName,lastName,roles,metadata\r\n' +
  'hr-4711,ada@example.com,Ada,Lovelace,member,"{""team"":""engines""}"\r\n' +
  'hr-4712,grace@example.com,Grace,Hopper,member;viewer,\r\n';

export function ImportPage() {
  const org = useOrganizationId();
  const canWrite = useHasPermission('users:write');
  const { progress, start, stop, reset } = useImport(org);
  const { state, outcomes, expected, isPreview, file, error } = progress;
  const isRunning = state === 'running';
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/users`} size="sm">
        {t('users.user.backToUsers')}
      </Anchor>
      <PageHeader title={t('userImport.title')} description={t('userImport.description')} />
      <Stack gap="lg" maw={900}>
        {!canWrite && <Alert color="gray">{t('userImport.notAllowed')}</Alert>}
        {(state === 'idle' || state === 'rejected') && (
          <FileForm disabled={!canWrite} onStart={(file, options) => void start(file, options)} />
        )}
        {state === 'rejected' && <ErrorNotice error={error} />}
        {state === 'idle' && <PasswordMigration />}
        {isRunning && (
          <Paper withBorder p="md">
            <Stack gap="sm">
              <Text aria-live="polite">
                {outcomes.length === 0
                  ? t('userImport.reading')
                  : t('userImport.progress', { done: outcomes.length, total: expected })}
              </Text>
              <Progress
                value={expected === 0 ? 0 : Math.min(100, (outcomes.length / expected) * 100)}
                aria-label={t('userImport.progressLabel')}
                animated
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={stop}>
                  {t('userImport.stop')}
                </Button>
              </Group>
            </Stack>
          </Paper>
        )}
        {state !== 'idle' && state !== 'rejected' && !isRunning && (
          <>
            <ImportResult progress={progress} />
            <NextSteps org={org} onReset={reset} onImport={isPreview && file ? () => void start(file) : undefined} />
          </>
        )}
        {outcomes.length > 0 && <ImportOutcomes org={org} outcomes={outcomes} isRunning={isRunning} isPreview={isPreview} />}
      </Stack>
    </>
  );
}

interface NextStepsProps {
  readonly org: string;
  readonly onReset: () => void;
  /** Imports the previewed file. Undefined after an import. */
  readonly onImport: (() => void) | undefined;
}

function NextSteps({ org, onReset, onImport }: NextStepsProps) {
  return (
    <Group>
      <Button variant="default" onClick={onReset}>
        {t('userImport.another')}
      </Button>
      {onImport ? (
        <Button onClick={onImport}>{t('userImport.start')}</Button>
      ) : (
        <Button component={Link} to={`/dashboard/organizations/${org}/users`}>
          {t('userImport.toUsers')}
        </Button>
      )}
    </Group>
  );
}

function ImportResult({
  progress: { state, outcomes, isPreview, error },
}: {
  progress: ReturnType<typeof useImport>['progress'];
}) {
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  if (state === 'stopped')
    return <Alert color="yellow" title={t(isPreview ? 'userImport.previewStopped' : 'userImport.stopped')} role="status" />;
  const broken = t(isPreview ? 'userImport.previewBroken' : 'userImport.broken');
  if (state === 'interrupted') return <ErrorNotice title={broken} error={error ?? broken} />;
  if (isPreview)
    return <Alert color={failed > 0 ? 'yellow' : 'blue'} title={t('userImport.previewed', { failed })} role="status" />;
  return (
    <Alert
      color={failed > 0 ? 'yellow' : 'green'}
      title={failed > 0 ? t('userImport.finishedWithErrors', { failed }) : t('userImport.finished')}
      role="status"
    />
  );
}

interface FileFormProps {
  readonly disabled: boolean;
  readonly onStart: (file: File, options: { readonly preview: boolean }) => void;
}

function FileForm({ disabled, onStart }: FileFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const isUnknown = file !== null && formatOf(file.name) === undefined;
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file && !isUnknown) onStart(file, { preview: false });
        }}
      >
        <Stack>
          <FileInput
            label={t('userImport.file')}
            description={t('userImport.fileHint')}
            placeholder={t('userImport.choose')}
            accept=".ndjson,.jsonl,.csv,application/x-ndjson,text/csv"
            leftSection={<UploadIcon size={18} />}
            value={file}
            onChange={setFile}
            error={isUnknown ? t('userImport.notText') : undefined}
            disabled={disabled}
            clearable
            clearButtonProps={{ 'aria-label': t('common.remove') }}
          />
          <List size="sm" spacing={4}>
            {choices('userImport.rules').map(({ value, label }) => (
              <List.Item key={value}>{label}</List.Item>
            ))}
          </List>
          <Stack gap={4}>
            <Title order={2} size="h3">
              {t('userImport.columns')}
            </Title>
            <Text size="sm" className="breakable">
              {t('userImport.columnsText')}
            </Text>
            <Anchor size="sm" href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`} download="users-example.csv">
              {t('userImport.exampleCsv')}
            </Anchor>
          </Stack>
          <Group justify="flex-end">
            <Button
              variant="default"
              disabled={disabled || file === null || isUnknown}
              onClick={() => file && onStart(file, { preview: true })}
            >
              {t('userImport.preview')}
            </Button>
            <Button type="submit" disabled={disabled || file === null || isUnknown}>
              {t('userImport.start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
