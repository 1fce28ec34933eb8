import { Stack, Text } from '@mantine/core';
import { t } from '../../texts';
import { StatusBadge } from '../../ui/status-badge';
import type { Application } from './application-queries';

/** Shows whether an application can be used, and if not, why. */
export function ApplicationStatus({ application }: { application: Application }) {
  const { flag } = application;
  const status = statusOf(application);
  return (
    <Stack gap={2}>
      <StatusBadge status={status} label={t(`applications.statuses.${status}`)} />
      {flag && (
        <Text size="xs" c="dimmed">
          {t(`apiKeys.flags.${flag}`)}
        </Text>
      )}
    </Stack>
  );
}

function statusOf({ enabled, disabled, expiresAt }: Application): 'enabled' | 'disabled' | 'expired' {
  if (!enabled || disabled) return 'disabled';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'enabled';
}
