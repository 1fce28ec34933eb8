import { Alert, Button, Group, Text } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { Countdown } from '../../ui/countdown';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { signOut } from './sign-out';

/** Reminds an impersonator of the user as whom they are signed in, with a button to return to the own session. */
export function ImpersonationBanner() {
  const { data: session } = useQuery(sessionQuery);
  const end = useApiMutation({ mutationFn: () => signOut(session), invalidates: [] });
  if (!session?.user?.session.impersonator) return null;
  return (
    <Alert color="orange" icon={<PersonIcon size={20} />} mb="md" py="xs" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" component="div" className="breakable">
          {t('impersonation.banner', { name: session.name })}{' '}
          <Countdown until={session.expiresAt} onExpired={() => window.location.assign('/dashboard')} />
        </Text>
        <Button size="xs" variant="default" onClick={() => end.mutate(undefined)} loading={end.isPending}>
          {t('impersonation.end')}
        </Button>
      </Group>
      {end.error && <ErrorNotice error={end.error} />}
    </Alert>
  );
}
