import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { ReportIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { Countdown } from '../../../ui/countdown';
import { useEmergencyAccess } from './break-glass-queries';
import { confirmEnd } from './end-request';

const INTERVAL_MS = 60_000;

/** Reminds the user of an active emergency access, with a button to end the access. */
export function EmergencyBanner({ org }: { org: string }) {
  const grant = useEmergencyAccess(org, INTERVAL_MS);
  if (!grant?.endsAt) return null;
  return (
    <Alert color="red" variant="light" icon={<ReportIcon size={20} />} mb="lg" py="xs" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div">
          {t('breakGlass.banner')}{' '}
          <Anchor component={Link} to={`/dashboard/organizations/${org}/break-glass`} inherit c="inherit" underline="always">
            {t('breakGlass.timeLeft')}
          </Anchor>
          :{' '}
          <Countdown
            until={grant.endsAt}
            onExpired={() => void queryClient.invalidateQueries({ queryKey: ['break-glass', org] })}
          />
        </Text>
        <Button size="xs" color="red" onClick={() => confirmEnd(org, grant, true)}>
          {t('breakGlass.bannerEnd')}
        </Button>
      </Group>
    </Alert>
  );
}
