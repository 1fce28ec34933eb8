import { Anchor, Text } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { openPage } from '../open-page';

interface Props {
  readonly email: string;
  /** The page or request that continues with the other user. */
  readonly returnTo: string;
}

/** Says which user answers, and lets another user sign in. */
export function SignedInAs({ email, returnTo }: Props) {
  const changeAccount = async (): Promise<void> => {
    await unwrap(api.POST('/v1/auth/logout')).catch(() => undefined);
    await openPage('/account/sign-in', { returnTo });
  };
  return (
    <Text size="sm" className="breakable">
      {t('signIn.authorize.signedInAs', { email })}{' '}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={() => void changeAccount()}>
        {t('signIn.authorize.otherAccount')}
      </Anchor>
    </Text>
  );
}
