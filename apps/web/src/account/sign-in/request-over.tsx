import { Text } from '@mantine/core';
import { t } from '../../texts';
import { usePageSearch } from './open-page';
import { PageLink } from './page-link';
import { SignInLayout } from './sign-in-layout';

/** Replaces the page of an authorization request that can't be answered anymore. */
export function RequestOver() {
  const { organization } = usePageSearch();
  const search = { organization, returnTo: undefined, reauthenticate: undefined, interaction: undefined };
  return (
    <SignInLayout title={t('signIn.requestOver.title')}>
      <Text role="alert">{t('signIn.requestOver.text')}</Text>
      <PageLink to="/account/sign-in" search={search} size="sm">
        {t('signIn.requestOver.signIn')}
      </PageLink>
    </SignInLayout>
  );
}
