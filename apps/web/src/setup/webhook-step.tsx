import { Alert, Button, Group, MultiSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { CheckCircleIcon, TrashIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Schema, unwrap } from '../api/client';
import { EVENT_GROUPS } from '../api/event-types';
import { formErrors } from '../api/form-errors';
import { findText, t } from '../texts';
import { confirm } from '../ui/confirm';
import { CopyField } from '../ui/copy-field';
import { ErrorNotice } from '../ui/error-notice';
import { useUnsavedChanges } from '../ui/unsaved-changes';
import { useApiMutation } from '../ui/use-api-mutation';
import { type EventFormat, FormatField } from '../dashboard/webhooks/form/format-field';
import { webhooksKey, webhooksQuery } from './setup-queries';
import type { SetupScope } from './setup-scope';

type Webhook = Schema<'WebhookResponse'>;

/** Adds a webhook, shows its signing secret once, and sends a test event. */
export function WebhookStep(scope: SetupScope) {
  const [secret, setSecret] = useState<string>();
  const query = useQuery(webhooksQuery(scope));
  return (
    <Stack gap="lg">
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {secret !== undefined && (
        <Alert color="yellow" title={t('setup.webhook.secretTitle')}>
          <Stack gap="xs">
            <Text size="sm">{t('setup.webhook.secretText')}</Text>
            <CopyField value={secret} label={t('setup.webhook.secret')} />
          </Stack>
        </Alert>
      )}
      {query.data?.map((webhook) => (
        <WebhookCard key={webhook.id} {...scope} webhook={webhook} />
      ))}
      <WebhookForm {...scope} onCreated={setSecret} />
    </Stack>
  );
}

function WebhookForm({ client, org, onCreated }: SetupScope & { onCreated: (secret: string) => void }) {
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<EventFormat>('service');
  const [header, setHeader] = useState({ name: '', value: '' });
  const [events, setEvents] = useState(['user.*']);
  useUnsavedChanges(url !== '');
  const create = useApiMutation({
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        format,
        events: events as Schema<'CreateWebhookRequest'>['events'],
        ...(header.name === '' ? {} : { headers: { [header.name]: header.value } }),
      };
      return (await unwrap(client.POST('/v1/organizations/{org}/webhooks', { params: { path: { org } }, body }))).data;
    },
    invalidates: [webhooksKey(org)],
    onSuccess: ({ secret }) => {
      setUrl('');
      setHeader({ name: '', value: '' });
      onCreated(secret);
    },
  });
  const { fields, rest } = formErrors(create.error, ['url', 'format', 'headers', 'events']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={560} gap="sm">
        <TextInput
          label={t('setup.webhook.url')}
          description={t('setup.webhook.urlHint')}
          placeholder="https://example.com/webhooks"
          type="url"
          required
          maxLength={2048}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={fields['url']}
        />
        <FormatField value={format} onChange={setFormat} error={fields['format']} />
        {format !== 'service' && <HeaderFields header={header} onChange={setHeader} error={fields['headers']} />}
        <EventGroupsField value={events} onChange={setEvents} error={fields['events']} />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group>
          <Button type="submit" loading={create.isPending} disabled={events.length === 0}>
            {t('setup.webhook.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly error: string | undefined;
}

function EventGroupsField(props: FieldProps & { value: string[]; onChange: (value: string[]) => void }) {
  const data = EVENT_GROUPS.map(({ name, wildcard }) => ({
    value: wildcard,
    label: findText(`webhookForm.groups.${name}`) ?? name,
  }));
  return <MultiSelect label={t('setup.webhook.events')} data={data} {...props} />;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

/** The header with the credentials of a receiver. */
function HeaderFields({ header, onChange, error }: FieldProps & { header: Header; onChange: (header: Header) => void }) {
  return (
    <Group gap="sm" align="flex-end" grow>
      <TextInput
        label={t('setup.webhook.headerName')}
        description={t('setup.webhook.headerHint')}
        placeholder={t('webhookForm.headerNamePlaceholder')}
        autoComplete="off"
        spellCheck={false}
        value={header.name}
        onChange={(event) => onChange({ ...header, name: event.currentTarget.value.trim() })}
        error={error}
      />
      <TextInput
        label={t('setup.webhook.headerValue')}
        autoComplete="off"
        spellCheck={false}
        value={header.value}
        onChange={(event) => onChange({ ...header, value: event.currentTarget.value })}
      />
    </Group>
  );
}

function WebhookCard({ client, org, webhook: { id, url } }: SetupScope & { webhook: Webhook }) {
  const params = { path: { org, id } };
  const test = useMutation({
    mutationFn: () =>
      unwrap(client.POST('/v1/organizations/{org}/webhooks/{id}/test', { params, body: { eventType: 'user.created' } })),
  });
  const remove = useApiMutation({
    mutationFn: () => unwrap(client.DELETE('/v1/organizations/{org}/webhooks/{id}', { params })),
    invalidates: [webhooksKey(org)],
    successMessage: t('setup.webhook.removed'),
  });
  const openConfirmation = () =>
    confirm({
      title: t('setup.webhook.removeTitle'),
      consequences: t('setup.webhook.removeText'),
      confirmLabel: t('setup.webhook.remove'),
      isDangerous: true,
      action: () => remove.mutateAsync(undefined),
    });
  return (
    <Paper withBorder p="md" component="section" aria-label={url}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} className="breakable">
            {url}
          </Text>
          <Group gap="xs">
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t('setup.webhook.test')}
            </Button>
            <Button size="xs" variant="light" color="red" leftSection={<TrashIcon size={14} />} onClick={openConfirmation}>
              {t('setup.webhook.remove')}
            </Button>
          </Group>
        </Group>
        <div role="status">{test.data && <TestResult {...test.data} />}</div>
        {test.error && <ErrorNotice error={test.error} />}
      </Stack>
    </Paper>
  );
}

function TestResult({ success, responseCode, responseTime, responseBody }: Schema<'TestWebhookResponse'>) {
  const response = responseCode === 0 ? responseBody : t('deliveries.testResponded', { code: responseCode, ms: responseTime });
  return (
    <Alert
      color={success ? 'green' : 'red'}
      icon={success ? <CheckCircleIcon size={20} /> : undefined}
      title={success ? t('deliveries.testWorked') : t('deliveries.testFailed')}
    >
      <Text size="sm" className="breakable">
        {response}
      </Text>
    </Alert>
  );
}
