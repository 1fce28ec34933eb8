import { Badge, type MantineColor, Stack, Text } from '@mantine/core';
import { AlertIcon, CheckIcon, PauseIcon, XIcon } from '@primer/octicons-react';
import { type KeyUnder, t } from '../../../texts';
import { RelativeTime } from '../../../ui/relative-time';
import type { Webhook } from '../webhook-queries';

const FAILING_FROM_FAILURES = 3;

type Status = KeyUnder<'webhooks.statusLabels'>;

const STATUS_ICONS: Record<Status, { color: MantineColor; icon: typeof CheckIcon }> = {
  enabled: { color: 'green', icon: CheckIcon },
  failing: { color: 'yellow', icon: AlertIcon },
  hand: { color: 'gray', icon: PauseIcon },
  failures: { color: 'red', icon: XIcon },
  gone: { color: 'red', icon: XIcon },
  owner: { color: 'red', icon: XIcon },
};

/** Returns whether the last attempts of an enabled webhook failed. */
export const isFailing = ({ enabled, metadata }: Webhook): boolean => enabled && metadata.failureCount >= FAILING_FROM_FAILURES;

function statusOf(webhook: Webhook): Status {
  if (!webhook.enabled) return webhook.disabledReason ?? 'hand';
  return isFailing(webhook) ? 'failing' : 'enabled';
}

/** Shows whether a webhook is enabled, failing or disabled. For a disabled webhook, shows the reason and the time. */
export function WebhookStatus({ webhook, withTime = true }: { webhook: Webhook; withTime?: boolean }) {
  const status = statusOf(webhook);
  const { color, icon: Icon } = STATUS_ICONS[status];
  return (
    <Stack gap={2} align="flex-start">
      <Badge
        color={color}
        variant="light"
        autoContrast
        tt="none"
        w="max-content"
        style={{ flexShrink: 0 }}
        leftSection={<Icon size={12} />}
      >
        {t(`webhooks.statusLabels.${status}`)}
      </Badge>
      {webhook.enabled && webhook.flag && (
        <Badge color="yellow" variant="light" autoContrast tt="none" w="max-content">
          {t('webhooks.flagged')}
        </Badge>
      )}
      {withTime && webhook.disabledAt && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <RelativeTime at={webhook.disabledAt} />
        </Text>
      )}
    </Stack>
  );
}
