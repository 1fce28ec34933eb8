import { Alert, Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { CheckIcon, XIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { EVENT_CATALOG } from '../../../api/event-catalog.gen';
import { eventTitle } from '../../../api/event-types';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { CodeBlock } from '../../../ui/code-block';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { webhookQueryKey, type Webhook, type WebhookKey } from '../webhook-queries';
import { WaitingDeliveries } from './waiting-deliveries';
import { dialogs } from '../../../ui/dialogs';

type EventType = Schema<'TestWebhookRequest'>['eventType'];

/** Navigates to a page. Dialogs are rendered outside the router. */
type GoTo = (path: string) => void;

/** Opens the dialog that sends a test event and shows the response. */
export function openTestDialog(key: WebhookKey, webhook: Webhook, goTo: GoTo): void {
  const dialogId = dialogs.open({
    title: t('deliveries.testTitle'),
    size: 'lg',
    children: <TestForm webhookKey={key} webhook={webhook} goTo={goTo} onClose={() => dialogs.close(dialogId)} />,
  });
}

interface FormProps {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly goTo: GoTo;
  readonly onClose: () => void;
}

function TestForm({ webhookKey, webhook, goTo, onClose }: FormProps) {
  const openDelivery = (path: string) => {
    onClose();
    goTo(path);
  };
  const [eventType, setEventType] = useState<EventType>(() => firstSubscribed(webhook));
  const change = useApiMutation({
    mutationFn: () =>
      unwrap(api.POST('/v1/organizations/{org}/webhooks/{id}/test', { params: { path: webhookKey }, body: { eventType } })),
    invalidates: [webhookQueryKey(webhookKey)],
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined);
      }}
    >
      <Stack>
        <Text size="sm">{t('deliveries.testExplained')}</Text>
        <Select
          label={t('deliveries.testEvent')}
          data={EVENT_CATALOG.map(({ type }) => type)}
          value={eventType}
          onChange={(value) => value && setEventType(value)}
          searchable
          allowDeselect={false}
          openOnFocus={false}
          data-autofocus
          description={eventTitle(eventType)}
        />
        {change.error && <ErrorNotice error={change.error} />}
        <div aria-live="polite">
          {change.data && !change.isPending && (
            <TestResult webhookKey={webhookKey} response={change.data} onOpenDelivery={openDelivery} />
          )}
        </div>
        {change.data?.success && <WaitingDeliveries webhookKey={webhookKey} webhook={webhook} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {change.data ? t('deliveries.testSendAnother') : t('deliveries.testSend')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TestResultProps {
  readonly webhookKey: WebhookKey;
  readonly response: Schema<'TestWebhookResponse'>;
  readonly onOpenDelivery: GoTo;
}

function TestResult({ webhookKey: { org, id }, response, onOpenDelivery }: TestResultProps) {
  const { success, responseCode, responseTime, responseBody, deliveryId } = response;
  const path = `/dashboard/organizations/${org}/webhooks/${id}/deliveries/${deliveryId}`;
  return (
    <Stack gap="xs">
      <Alert
        color={success ? 'green' : 'red'}
        icon={success ? <CheckIcon size={20} /> : <XIcon size={20} />}
        title={success ? t('deliveries.testWorked') : t('deliveries.testFailed')}
      >
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            {responseCode === 0
              ? t('deliveries.testNoResponse', { ms: responseTime })
              : t('deliveries.testResponded', { code: responseCode, ms: responseTime })}
          </Text>
          <Anchor
            href={path}
            size="sm"
            c="inherit"
            underline="always"
            onClick={(event) => {
              event.preventDefault();
              onOpenDelivery(path);
            }}
          >
            {t('deliveries.testView')}
          </Anchor>
        </Group>
      </Alert>
      {responseBody === '' ? (
        <Text size="sm" c="dimmed">
          {t('deliveries.emptyBody')}
        </Text>
      ) : (
        <CodeBlock label={t('deliveries.body')} value={responseBody} maxHeight={220} />
      )}
    </Stack>
  );
}

const firstSubscribed = ({ events }: Webhook): EventType =>
  EVENT_CATALOG.find(({ type, group }) => events.some((each) => each === type || each === `${group}.*`))?.type ?? 'user.created';
