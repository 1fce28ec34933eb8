import { Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { findText, t } from '../../texts';
import { type Challenge, challengeOf, forgetReturnedChallenge, returnedChallenge } from './challenge';
import { CredentialsStep, type SignInOutcome } from './credentials-step';
import { destinationFor, whoIsSignedIn } from './destination';
import { EntryPage } from './entry-page';
import { rememberOrganization } from './last-organization';
import { openPage, usePageEmail, usePageSearch } from './open-page';
import { SignInNotice } from './sign-in-notice';
import type { SignInOptions } from './sign-in-options';
import { OtherOrganization, WithOrganization } from './with-organization';

const SignInSecondFactor = lazy(async () => ({ default: (await import('./sign-in-second-factor')).SignInSecondFactor }));

/** The sign-in: organization, then password, passkey or identity provider, then the second factor. */
export function SignInPage() {
  const { organization, returnTo } = usePageSearch();
  const choose = (slug: string | undefined) => {
    if (slug === undefined) rememberOrganization(undefined);
    void openPage('/account/sign-in', { organization: slug, returnTo });
  };
  return (
    <WithOrganization
      organization={organization}
      title={t('signIn.organizationStep.title')}
      notice={<ReturnedError />}
      onChosen={choose}
    >
      {(options) => <Steps key={options.organization.id} options={options} onOtherOrganization={() => choose(undefined)} />}
    </WithOrganization>
  );
}

function Steps({ options, onOtherOrganization }: { options: SignInOptions; onOtherOrganization: () => void }) {
  const { returnTo } = usePageSearch();
  const email = usePageEmail();
  const [challenge, setChallenge] = useState<Challenge | null>(returnedChallenge);
  const [failure, setFailure] = useState<unknown>();
  const { organization } = options;

  const go = (outcome: SignInOutcome) => {
    setFailure(undefined);
    if (!outcome.mfaRequired) return void signedIn(organization.slug, returnTo).catch(setFailure);
    setChallenge(challengeOf(outcome.challengeToken, outcome.methods ?? [], outcome.challengeExpiresAt));
  };
  const startAgain = (reason?: unknown) => {
    forgetReturnedChallenge();
    setChallenge(null);
    setFailure(reason);
  };
  if (challenge)
    return (
      <EntryPage title={t('signIn.secondFactor.title')} description={t('signIn.secondFactor.description')} place={organization}>
        {failure !== undefined && <SignInNotice error={failure} />}
        <Suspense>
          <SignInSecondFactor challenge={challenge} onVerified={go} onOver={startAgain} onStartAgain={() => startAgain()} />
        </Suspense>
      </EntryPage>
    );
  return (
    <EntryPage title={t('signIn.signInTo', { organization: organization.name })} place={organization}>
      {failure === undefined ? <ReturnedError /> : <SignInNotice error={failure} />}
      <CredentialsStep options={options} email={email} returnTo={returnTo} onOutcome={go} />
      <Group justify="center">
        <OtherOrganization onClick={onOtherOrganization} />
      </Group>
    </EntryPage>
  );
}

/** Shows the error of a redirect. Only the code comes from the URL, never the text. */
function ReturnedError() {
  const { error } = usePageSearch();
  if (error === undefined) return null;
  const message = findText(`signIn.problems.byCode.${error}`) ?? t('signIn.problems.unknown');
  return <SignInNotice error={new ApiProblem(0, error, message)} />;
}

/** Continues with a page load, which clears the memory and makes password managers offer to save. */
async function signedIn(organization: string, returnTo: string | undefined): Promise<void> {
  rememberOrganization(organization);
  window.location.assign(destinationFor(await whoIsSignedIn(), returnTo));
}
