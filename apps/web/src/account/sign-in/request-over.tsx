import { Text } from '@mantine/core';
import { t } from '../../texts';
import { SignInLayout } from './sign-in-layout';

/** Replaces the page of an authorization request that can't be answered anymore. */
export function RequestOver() {
  return (
    <SignInLayout title={t('signIn.requestOver.title')}>
      <Text role="alert">{t('signIn.requestOver.text')}</Text>
    </SignInLayout>
  );
}
