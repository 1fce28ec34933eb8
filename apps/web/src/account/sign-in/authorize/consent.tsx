import { Stack, Text } from '@mantine/core';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { AccessList } from '../../../ui/access-list';
import { ApplicationIdentity } from '../../../ui/application-identity';
import { PrimaryButton } from '../primary-button';
import { interactionPath } from '../return-to';
import { SignInLayout } from '../sign-in-layout';
import { SignInNotice } from '../sign-in-notice';
import { CancelRequest } from './cancel-request';
import type { OpenRequest } from './open-request';
import { SignedInAs } from './signed-in-as';
import { DomainNotice, destinationText } from './destination-notice';
import { useAnswer } from './use-answer';

/** Asks whether an application can have what it asks for. */
export function Consent({ interaction, email }: OpenRequest) {
  const { id, application, organization, scopes, resources, redirectHost } = interaction;
  const answer = useAnswer();
  const allow = () => unwrap(api.POST('/v1/oauth/interactions/{id}/consent', { params: { path: { id } } }));
  const asksForMore = scopes.length + resources.length > 0;
  return (
    <SignInLayout title={t('signIn.authorize.consentTitle', { application: application.name })}>
      {answer.error && <SignInNotice error={answer.error} secondsLeft={answer.secondsLeft} />}
      <Stack gap="xs">
        <ApplicationIdentity application={application} />
        <DomainNotice application={application} host={redirectHost} verifiedDomain={interaction.verifiedDomain} />
      </Stack>
      <Stack gap="xs">
        <Text fw={600}>{asksForMore ? t('signIn.authorize.access') : t('signIn.authorize.nothingNew')}</Text>
        <AccessList scopes={scopes} resources={resources} />
      </Stack>
      <Stack gap={4}>
        {organization && (
          <Text size="sm" className="breakable">
            {t('signIn.authorize.organization', { organization: organization.name })}
          </Text>
        )}
        <SignedInAs email={email} returnTo={interactionPath(id)} />
      </Stack>
      <Stack gap="sm">
        <PrimaryButton type="button" loading={answer.isRunning} onClick={() => answer.start(allow)}>
          {t('signIn.authorize.allow')}
        </PrimaryButton>
        <CancelRequest interactionId={id} answer={answer} />
      </Stack>
      <Text size="sm" c="dimmed" className="breakable">
        {destinationText(redirectHost)} {t('signIn.authorize.revocable')}
      </Text>
    </SignInLayout>
  );
}
