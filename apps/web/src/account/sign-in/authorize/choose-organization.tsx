import { Button, Stack } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { ApplicationIdentity } from '../../../ui/application-identity';
import { interactionPath } from '../return-to';
import { SignInLayout } from '../sign-in-layout';
import { SignInNotice } from '../sign-in-notice';
import { CancelRequest } from './cancel-request';
import type { OpenRequest } from './open-request';
import { SignedInAs } from './signed-in-as';
import { useAnswer } from './use-answer';

/** Asks for which organization the user signs in at an application. Shows the account, so that the user can change it. */
export function ChooseOrganization({ interaction, email }: OpenRequest) {
  const { id, application, organizations } = interaction;
  const answer = useAnswer();
  const choose = (organizationId: string) =>
    answer.start(() =>
      unwrap(api.POST('/v1/oauth/interactions/{id}/organization', { params: { path: { id } }, body: { organizationId } })),
    );
  const [only, ...others] = organizations;
  const isOnly = only !== undefined && others.length === 0;
  return (
    <SignInLayout
      title={
        isOnly ? t('signIn.authorize.accountTitle', { application: application.name }) : t('signIn.authorize.organizationTitle')
      }
      description={!isOnly && t('signIn.authorize.organizationText', { application: application.name })}
    >
      {answer.error && <SignInNotice error={answer.error} secondsLeft={answer.secondsLeft} />}
      <ApplicationIdentity application={application} />
      <Stack gap="sm">
        {organizations.map(({ id: organizationId, name }) => (
          <Button
            key={organizationId}
            variant="default"
            size="md"
            disabled={answer.isRunning}
            onClick={() => choose(organizationId)}
          >
            {isOnly ? t('signIn.authorize.continueFor', { organization: name }) : name}
          </Button>
        ))}
      </Stack>
      <SignedInAs email={email} returnTo={interactionPath(id)} />
      <CancelRequest interactionId={id} answer={answer} />
    </SignInLayout>
  );
}
