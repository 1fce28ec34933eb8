import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { exactTime, Moment } from '../../../ui/moment';
import { useChange } from '../../../ui/use-change';
import { useMay } from '../../permissions';
import { aboutWebhooks, backlogQuery, updateWebhook, type Webhook, type WebhookKey } from '../webhook-queries';

const words = texts.webhooks.banner;

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
}

/** Above a webhook that is off or flagged: why, what becomes of its events, and the way back. */
export function OffBanner({ webhookKey, webhook }: Props) {
  const { data: backlog } = useQuery(backlogQuery(webhookKey));
  if (webhook.enabled)
    return (
      <>
        {webhook.flag && <FlaggedNotice flag={webhook.flag} />}
        {backlog && backlog.skipped > 0 && <SkippedNotice webhookKey={webhookKey} skipped={backlog.skipped} />}
      </>
    );
  const reason = webhook.disabledReason ?? 'hand';
  const isByHand = reason === 'hand';
  return (
    <Alert
      color={isByHand ? 'gray' : 'red'}
      icon={isByHand ? <IconPlayerPause aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={words[`${reason}Title`]}
      mb="lg"
    >
      <Stack gap="xs" align="flex-start" maw={820}>
        {webhook.disabledAt && (
          <Text size="sm">
            {words.sinceWhen} {exactTime(webhook.disabledAt)} (<Moment at={webhook.disabledAt} />
            ).
          </Text>
        )}
        {isByHand && <Text size="sm">{words.hand}</Text>}
        {!isByHand && backlog && <Text size="sm">{words.waiting(backlog.pending)}</Text>}
        {reason === 'failures' && <Text size="sm">{words.probes}</Text>}
        {reason === 'gone' && <Text size="sm">{words.gone}</Text>}
        {reason === 'owner' && webhook.flag && <Text size="sm">{words.flags[webhook.flag]}</Text>}
        {reason === 'owner' && <Text size="sm">{words.owner}</Text>}
        <EnableButton webhookKey={webhookKey} />
      </Stack>
    </Alert>
  );
}

function EnableButton({ webhookKey }: { webhookKey: WebhookKey }) {
  const mayWrite = useMay('webhooks:write');
  const change = useChange({
    run: () => updateWebhook(webhookKey, { enabled: true }),
    outdates: [aboutWebhooks(webhookKey.org)],
    done: words.enabled,
  });
  if (!mayWrite) return null;
  return (
    <>
      <Button mt={4} onClick={() => change.mutate(undefined)} loading={change.isPending}>
        {words.enable}
      </Button>
      {change.error && <ErrorNotice error={change.error} />}
    </>
  );
}

function FlaggedNotice({ flag }: { flag: NonNullable<Webhook['flag']> }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={words.flaggedTitle} mb="lg">
      <Text size="sm">
        {words.flags[flag]} {words.flagged}
      </Text>
    </Alert>
  );
}

function SkippedNotice({ webhookKey: { org, id }, skipped }: { webhookKey: WebhookKey; skipped: number }) {
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title={words.skippedTitle(skipped)} mb="lg">
      <Group gap="sm">
        <Text size="sm">{words.skipped}</Text>
        <Button
          size="xs"
          variant="default"
          component={Link}
          // The time in which all of them lie.
          to={`/dashboard/organizations/${org}/webhooks/${id}/reconciliation?range=30d`}
        >
          {words.catchUp}
        </Button>
      </Group>
    </Alert>
  );
}
