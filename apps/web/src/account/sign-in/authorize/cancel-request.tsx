import { Button } from '@mantine/core';
import { t } from '../../../texts';
import { denyRequest } from './deny-request';
import type { useAnswer } from './use-answer';

interface Props {
  readonly interactionId: string;
  readonly answer: ReturnType<typeof useAnswer>;
}

/** Returns the user to the application, which learns that the user denied the request. */
export function CancelRequest({ interactionId, answer }: Props) {
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      disabled={answer.isRunning}
      onClick={() => answer.start(() => denyRequest(interactionId))}
    >
      {t('signIn.authorize.cancel')}
    </Button>
  );
}
