import { Alert, Anchor, Button, Code, Group, List, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { AlertIcon, ShieldCheckIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { DateTimeInput } from '../../ui/date-time-input';
import { useOrganizationId } from '../organization';

/** Verifies the hash chain of the event log for auditors. */
export function VerificationPage() {
  const org = useOrganizationId();
  const [extent, setExtent] = useState('whole');
  const [since, setSince] = useState<string>();
  const [until, setUntil] = useState<string>();
  const verification = useMutation({
    mutationFn: async () => {
      const query = extent === 'stretch' ? { since, until } : {};
      return (await unwrap(api.GET('/v1/organizations/{org}/events/verify', { params: { path: { org }, query } }))).data;
    },
  });
  const verify = (event: FormEvent) => {
    event.preventDefault();
    verification.mutate();
  };
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/events`} size="sm">
        {t('eventVerification.back')}
      </Anchor>
      <PageHeader title={t('eventVerification.title')} description={t('eventVerification.description')} />
      <Stack maw={760}>
        <Paper withBorder p="md" component="form" onSubmit={verify}>
          <Stack align="flex-start">
            <Radio.Group value={extent} onChange={setExtent} aria-label={t('eventVerification.title')}>
              <Group>
                <Radio value="whole" label={t('eventVerification.whole')} />
                <Radio value="stretch" label={t('eventVerification.range')} />
              </Group>
            </Radio.Group>
            {extent === 'stretch' && (
              <Group>
                <DateTimeInput label={t('events.since')} value={since} onChange={setSince} />
                <DateTimeInput label={t('events.until')} value={until} onChange={setUntil} />
              </Group>
            )}
            <Button type="submit" loading={verification.isPending}>
              {t('eventVerification.run')}
            </Button>
            {verification.isPending && (
              <Text size="sm" c="dimmed" role="status">
                {t('eventVerification.running')}
              </Text>
            )}
          </Stack>
        </Paper>
        {verification.error && <ErrorNotice error={verification.error} />}
        {verification.data && <Result result={verification.data} />}
      </Stack>
    </>
  );
}

function Result({ result }: { result: Schema<'VerificationResponse'> }) {
  return (
    <Stack role="status">
      <Alert
        color={result.valid ? 'green' : 'red'}
        icon={result.valid ? <ShieldCheckIcon size={20} /> : <AlertIcon size={20} />}
        title={result.valid ? t('eventVerification.valid') : t('eventVerification.invalid')}
      >
        <List size="sm">
          <List.Item>{t('eventVerification.checked', { count: t('common.total', { count: result.checked }) })}</List.Item>
          {result.firstInvalid && (
            <List.Item>{t('eventVerification.firstInvalid', { position: result.firstInvalid.position })}</List.Item>
          )}
          {result.redacted > 0 && (
            <List.Item>{t('eventVerification.redacted', { count: t('common.total', { count: result.redacted }) })}</List.Item>
          )}
          {result.unchained > 0 && (
            <List.Item>{t('eventVerification.unchained', { count: t('common.total', { count: result.unchained }) })}</List.Item>
          )}
        </List>
      </Alert>
      {result.head && (
        <Paper withBorder p="md">
          <Title order={2} size="h3">
            {t('eventVerification.head')}
          </Title>
          <Text size="sm" c="dimmed" mb="xs">
            {t('eventVerification.headAdvice')}
          </Text>
          <Code block className="wrapped">{`${result.head.position}  ${result.head.hash}`}</Code>
        </Paper>
      )}
      {result.anchors.length > 0 && (
        <Paper withBorder p="md">
          <Title order={2} size="h3">
            {t('eventVerification.anchors')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('eventVerification.anchorsAdvice')}
          </Text>
          <Code block>{JSON.stringify(result.anchors, undefined, 2)}</Code>
        </Paper>
      )}
    </Stack>
  );
}
