import { Button, Code, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { AccessList } from '../../../ui/access-list';
import { ApplicationIdentity } from '../../../ui/application-identity';
import { formatDateTime } from '../../../ui/format-date-time';
import { DomainNotice } from '../authorize/destination-notice';
import { SignedInAs } from '../authorize/signed-in-as';
import { PrimaryButton } from '../primary-button';
import { devicePath } from '../return-to';
import { SignInLayout } from '../sign-in-layout';
import { SignInNotice } from '../sign-in-notice';
import { useSignInStep } from '../use-sign-in-step';
import { allowDevice, denyDevice, type DeviceAnswer, type OpenDevice, signInForDevice } from './device-request';

interface Props extends OpenDevice {
  readonly onAnswer: (answer: DeviceAnswer) => void;
}

const asksForSignIn = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'oauth_device_sign_in_required';

/** Shows which device asks, from where and for what, and lets the user allow or deny it. */
export function AnswerDevice({ request, email, onAnswer }: Props) {
  const { userCode, application, organization: only, organizations } = request;
  const [chosenId, setChosenId] = useState(only?.id ?? null);
  const organization = organizations.find(({ id }) => id === chosenId);
  const step = useSignInStep(async (answer: DeviceAnswer) => {
    await (answer === 'denial' ? denyDevice(userCode) : allowDevice(userCode, chosenId ?? ''));
    return answer;
  }, onAnswer);
  const needsSignIn = request.signInRequired || asksForSignIn(step.error);
  return (
    <SignInLayout title={t('signIn.authorize.consentTitle', { application: application.name })}>
      {step.error && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      <DeviceDetails request={request} />
      {organizations.length === 0 && <Text role="alert">{t('signIn.device.noOrganization')}</Text>}
      {organizations.length > 1 && (
        <Select
          label={t('signIn.device.organization')}
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosenId}
          onChange={setChosenId}
          allowDeselect={false}
          searchable
        />
      )}
      <Stack gap={4}>
        {organizations.length === 1 && organization && (
          <Text size="sm" className="breakable">
            {t('signIn.authorize.organization', { organization: organization.name })}
          </Text>
        )}
        <SignedInAs email={email} returnTo={devicePath(userCode)} />
      </Stack>
      <Stack gap="sm">
        {needsSignIn ? (
          <PrimaryButton type="button" onClick={() => void signInForDevice(userCode, organization?.slug ?? '')}>
            {t('signIn.device.signInAgain')}
          </PrimaryButton>
        ) : (
          <PrimaryButton
            type="button"
            loading={step.isRunning}
            disabled={organization === undefined}
            onClick={() => step.start('approval')}
          >
            {t('signIn.authorize.allow')}
          </PrimaryButton>
        )}
        <Button variant="default" size="md" fullWidth disabled={step.isRunning} onClick={() => step.start('denial')}>
          {t('signIn.device.deny')}
        </Button>
      </Stack>
      <Text size="sm" c="dimmed" className="breakable">
        {t('signIn.authorize.revocable')}
      </Text>
    </SignInLayout>
  );
}

/** Shows the code to compare, who asks, and for what. */
function DeviceDetails({ request }: Pick<OpenDevice, 'request'>) {
  const { userCode, application, scopes, resources, websiteHost, verifiedDomain } = request;
  return (
    <>
      <Stack gap="xs">
        <Code fz="h2" ta="center" py="sm">
          {userCode}
        </Code>
        <Text>{t('signIn.device.compare')}</Text>
        <Text size="sm" className="breakable">
          {requestText(request)}
        </Text>
      </Stack>
      <Stack gap="xs">
        <ApplicationIdentity application={application} />
        <DomainNotice application={application} host={websiteHost} verifiedDomain={verifiedDomain} />
      </Stack>
      <Stack gap="xs">
        <Text fw={600}>{t('signIn.authorize.access')}</Text>
        <AccessList scopes={scopes} resources={resources} />
      </Stack>
    </>
  );
}

function requestText({ requestedAt, ipAddress }: OpenDevice['request']): string {
  const time = formatDateTime(requestedAt);
  return ipAddress === null
    ? t('signIn.device.requested', { time })
    : t('signIn.device.requestedFrom', { time, address: ipAddress });
}
