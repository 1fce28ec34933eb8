import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { safeReturnTo } from '../sign-in/return-to';
import { meQuery, ownMfaQuery } from './account-queries';
import { AddMfaMethod } from './add-mfa-method';
import { MfaMethods } from './mfa-methods';
import { LinkedIdentities } from './linked-identities';
import { PasswordSection } from './password-section';
import { RecoveryCodes } from './recovery-codes';

export function SecurityPage() {
  const me = useQuery(meQuery);
  const mfa = useQuery(ownMfaQuery);
  const error = me.error ?? mfa.error;
  const mustEnroll = me.data?.session.mfaEnrolmentRequired === true;
  const search = new URLSearchParams(window.location.search);
  const hasEnrolled = search.has('enrol') && mfa.data?.enabled === true && !mustEnroll;
  return (
    <>
      <PageHeader title={t('account.tabs.security')} />
      {error && <ErrorNotice error={error} onRetry={() => void Promise.all([me.refetch(), mfa.refetch()])} />}
      {!error && !(me.data && mfa.data) && <Skeleton h={320} />}
      {me.data && mfa.data && (
        <Stack gap="lg">
          {mustEnroll && (
            <Alert color="yellow" title={t('account.factors.enrolTitle')}>
              {t('account.factors.enrolText')}
            </Alert>
          )}
          {hasEnrolled && (
            <Button component="a" href={safeReturnTo(search.get('returnTo')) ?? '/dashboard'}>
              {t('account.factors.enrolDone')}
            </Button>
          )}
          {!mustEnroll && <PasswordSection changedAt={me.data.lastPasswordChangeAt} />}
          <MfaMethods mfa={mfa.data} />
          {!mustEnroll && <LinkedIdentities />}
          <AddMfaMethod mfa={mfa.data} />
          {mfa.data.enabled && <RecoveryCodes left={mfa.data.recoveryCodesLeft} />}
        </Stack>
      )}
    </>
  );
}
