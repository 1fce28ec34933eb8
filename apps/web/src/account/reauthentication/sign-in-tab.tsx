import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { listenForSignIns, SIGNED_IN_PAGE } from './signed-in-channel';

interface Props {
  /** Returns whether the user has signed in. */
  readonly check: () => Promise<boolean>;
  readonly onSignedIn: () => void;
}

/** Opens the sign-in in a new tab, so that this page keeps what the user typed, and continues after the sign-in. */
export function SignInTab({ check, onSignedIn }: Props) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const latest = useRef({ check, onSignedIn });
  latest.current = { check, onSignedIn };
  useEffect(
    () =>
      listenForSignIns(() => {
        const { check: isSignedIn, onSignedIn: finish } = latest.current;
        void isSignedIn().then((isDone) => isDone && finish());
      }),
    [],
  );
  const user = session?.user;
  const organization = user?.organizations.find(({ id }) => id === user.session.organizationId)?.slug;
  const query = new URLSearchParams({
    reauthenticate: '1',
    returnTo: SIGNED_IN_PAGE,
    ...(user ? { email: user.email } : {}),
    ...(organization === undefined ? {} : { organization }),
  });
  return (
    <Stack>
      <Text size="sm">{t('account.signInAgain.kept')}</Text>
      <Group justify="flex-end">
        <Button component="a" href={`/account/sign-in?${query}`} target="_blank" data-autofocus>
          {t('errors.signInAgain')}
        </Button>
      </Group>
    </Stack>
  );
}
