import { Container } from '@mantine/core';
import { CheckCircleIcon } from '@primer/octicons-react';
import { useEffect } from 'react';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { announceSignIn } from '../reauthentication/signed-in-channel';

/** The end of a sign-in in a new tab. Closes the tab; some browsers don't allow this after a visit to an identity provider. */
export function SignedInPage() {
  useEffect(() => {
    announceSignIn();
    window.close();
  }, []);
  return (
    <Container component="main" size="sm" py="xl">
      <EmptyState icon={CheckCircleIcon} title={t('account.signInAgain.done')}>
        {t('account.signInAgain.closeTab')}
      </EmptyState>
    </Container>
  );
}
