import { Anchor, Text } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { openPage } from '../open-page';
import { interactionPath } from '../return-to';

interface Props {
  readonly email: string;
  readonly interactionId: string;
}

/** Says which user answers, and lets another user sign in. */
export function SignedInAs({ email, interactionId }: Props) {
  const changeAccount = async (): Promise<void> => {
    await unwrap(api.POST('/v1/auth/logout')).catch(() => undefined);
    await openPage('/account/sign-in', { returnTo: interactionPath(interactionId) });
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
