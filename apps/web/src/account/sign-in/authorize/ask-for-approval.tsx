import { Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { ApplicationIdentity } from '../../../ui/application-identity';
import { PrimaryButton } from '../primary-button';
import { interactionPath } from '../return-to';
import { SignInLayout } from '../sign-in-layout';
import { SignInNotice } from '../sign-in-notice';
import { CancelRequest } from './cancel-request';
import type { OpenRequest } from './open-request';
import { SignedInAs } from './signed-in-as';
import { useAnswer } from './use-answer';

/** Lets the user ask the owners for an application, or says why the user can't use it. */
export function AskForApproval({ interaction, email }: OpenRequest) {
  const { id, application, organization, approval } = interaction;
  const answer = useAnswer();
  const [reason, setReason] = useState('');
  const name = organization?.name ?? '';
  const ask = (event: FormEvent) => {
    event.preventDefault();
    answer.start(() =>
      unwrap(
        api.POST('/v1/oauth/interactions/{id}/approval-request', { params: { path: { id } }, body: { reason: reason.trim() } }),
      ),
    );
  };
  return (
    <SignInLayout
      title={t('signIn.authorize.approvalTitle', { application: application.name })}
      description={
        approval?.canAsk
          ? t('signIn.authorize.approvalText', { organization: name })
          : t('signIn.authorize.ownersOnly', { organization: name })
      }
    >
      {answer.error && <SignInNotice error={answer.error} secondsLeft={answer.secondsLeft} />}
      <ApplicationIdentity application={application} />
      {approval?.status && (
        <Text role="status">
          {approval.status === 'pending' ? t('signIn.authorize.approvalPending') : t('signIn.authorize.approvalDenied')}
        </Text>
      )}
      {approval?.status === 'pending' && (
        <PrimaryButton type="button" onClick={() => window.location.assign(`/oauth/authorize/${encodeURIComponent(id)}`)}>
          {t('signIn.authorize.checkAgain')}
        </PrimaryButton>
      )}
      {approval?.canAsk && approval.status !== 'pending' && (
        <form onSubmit={ask}>
          <Stack gap="sm">
            <Textarea
              label={t('signIn.authorize.approvalReason')}
              description={t('signIn.authorize.approvalReasonHint')}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              maxLength={500}
              autosize
              minRows={2}
              required
            />
            <PrimaryButton loading={answer.isRunning}>{t('signIn.authorize.askForApproval')}</PrimaryButton>
          </Stack>
        </form>
      )}
      <SignedInAs email={email} returnTo={interactionPath(id)} />
      <CancelRequest interactionId={id} answer={answer} />
    </SignInLayout>
  );
}
