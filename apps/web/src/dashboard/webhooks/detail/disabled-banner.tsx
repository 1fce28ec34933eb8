import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { AlertIcon, InfoIcon, PauseIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { RelativeTime } from '../../../ui/relative-time';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useHasPermission } from '../../permissions';
import { webhooksQueryKey, backlogQuery, updateWebhook, type Webhook, type WebhookKey } from '../webhook-queries';

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
}

/** Explains why a webhook is disabled or flagged, with a button to enable the webhook. */
export function DisabledBanner({ webhookKey, webhook }: Props) {
  const { data: backlog } = useQuery(backlogQuery(webhookKey));
  if (webhook.enabled)
    return (
      <>
        {webhook.flag && <FlaggedNotice flag={webhook.flag} />}
        {backlog && backlog.skipped > 0 && <SkippedNotice webhookKey={webhookKey} skipped={backlog.skipped} />}
      </>
    );
  const reason = webhook.disabledReason ?? 'hand';
  const isManual = reason === 'hand';
  return (
    <Alert
      color={isManual ? 'gray' : 'red'}
      icon={isManual ? <PauseIcon size={20} /> : <AlertIcon size={20} />}
      title={t(`webhooks.banner.${reason}Title`)}
      mb="lg"
    >
      <Stack gap="xs" align="flex-start" maw={820}>
        {webhook.disabledAt && (
          <Text size="sm">
            {t('webhooks.banner.sinceWhen')} {formatDateTime(webhook.disabledAt)} (<RelativeTime at={webhook.disabledAt} />
            ).
          </Text>
        )}
        {isManual && <Text size="sm">{t('webhooks.banner.hand')}</Text>}
        {!isManual && backlog && <Text size="sm">{t('webhooks.banner.waiting', { pending: backlog.pending })}</Text>}
        {reason === 'failures' && <Text size="sm">{t('webhooks.banner.probes')}</Text>}
        {reason === 'gone' && <Text size="sm">{t('webhooks.banner.gone')}</Text>}
        {reason === 'owner' && webhook.flag && <Text size="sm">{t(`webhooks.banner.flags.${webhook.flag}`)}</Text>}
        {reason === 'owner' && <Text size="sm">{t('webhooks.banner.owner')}</Text>}
        <EnableButton webhookKey={webhookKey} />
      </Stack>
    </Alert>
  );
}

function EnableButton({ webhookKey }: { webhookKey: WebhookKey }) {
  const canWrite = useHasPermission('webhooks:write');
  const change = useApiMutation({
    mutationFn: () => updateWebhook(webhookKey, { enabled: true }),
    invalidates: [webhooksQueryKey(webhookKey.org)],
    successMessage: t('webhooks.banner.enabled'),
  });
  if (!canWrite) return null;
  return (
    <>
      <Button mt={4} onClick={() => change.mutate(undefined)} loading={change.isPending}>
        {t('webhooks.banner.enable')}
      </Button>
      {change.error && <ErrorNotice error={change.error} />}
    </>
  );
}

function FlaggedNotice({ flag }: { flag: NonNullable<Webhook['flag']> }) {
  return (
    <Alert color="yellow" icon={<AlertIcon size={20} />} title={t('webhooks.banner.flaggedTitle')} mb="lg">
      <Text size="sm">
        {t(`webhooks.banner.flags.${flag}`)} {t('webhooks.banner.flagged')}
      </Text>
    </Alert>
  );
}

function SkippedNotice({ webhookKey: { org, id }, skipped }: { webhookKey: WebhookKey; skipped: number }) {
  return (
    <Alert color="yellow" icon={<InfoIcon size={20} />} title={t('webhooks.banner.skippedTitle', { skipped })} mb="lg">
      <Group gap="sm">
        <Text size="sm">{t('webhooks.banner.skipped')}</Text>
        <Button
          size="xs"
          variant="default"
          component={Link}
          // The range that contains all skipped deliveries.
          to={`/dashboard/organizations/${org}/webhooks/${id}/reconciliation?range=30d`}
        >
          {t('webhooks.banner.catchUp')}
        </Button>
      </Group>
    </Alert>
  );
}
