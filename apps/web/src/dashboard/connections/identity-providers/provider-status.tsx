import { Group } from '@mantine/core';
import { t } from '../../../texts';
import { StatusBadge } from '../../../ui/status-badge';
import type { IdentityProvider } from './provider-queries';

/** Shows whether a provider is enabled, and whether somebody has signed in with its connection. */
export function ProviderStatus({ provider: { enabled, testedAt } }: { provider: IdentityProvider }) {
  const status = enabled ? 'enabled' : 'disabled';
  return (
    <Group gap={6}>
      <StatusBadge status={status} label={t(`identityProviders.${status}`)} />
      {testedAt === null && <StatusBadge status="untested" label={t('identityProviders.untested')} />}
    </Group>
  );
}
