import { Button } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import type { useAnswer } from './use-answer';

interface Props {
  readonly interactionId: string;
  readonly answer: ReturnType<typeof useAnswer>;
}

/** Returns the user to the application, which learns that the user denied the request. */
export function CancelRequest({ interactionId, answer }: Props) {
  const deny = () => unwrap(api.POST('/v1/oauth/interactions/{id}/denial', { params: { path: { id: interactionId } } }));
  return (
    <Button variant="default" size="md" fullWidth disabled={answer.isRunning} onClick={() => answer.start(deny)}>
      {t('signIn.authorize.cancel')}
    </Button>
  );
}
