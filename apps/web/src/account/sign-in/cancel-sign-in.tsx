import { Anchor, Text } from '@mantine/core';
import { t } from '../../texts';
import { useApplication } from './application';
import { denyRequest } from './authorize/deny-request';
import { useAnswer } from './authorize/use-answer';
import { usePageSearch } from './open-page';
import { interactionOf } from './return-to';
import { problemText } from './sign-in-notice';

/** Returns the user to the application that waits, without a sign-in. */
export function CancelSignIn() {
  const application = useApplication();
  const interaction = interactionOf(usePageSearch().returnTo);
  const answer = useAnswer();
  if (!application || interaction === undefined) return null;
  return (
    <Text size="sm" ta="center" component="div" className="breakable">
      {answer.error && <Text role="alert">{problemText(answer.error)}</Text>}
      <Anchor component="button" type="button" size="sm" onClick={() => answer.start(() => denyRequest(interaction))}>
        {t('signIn.cancelSignIn', { application: application.name })}
      </Anchor>
    </Text>
  );
}
