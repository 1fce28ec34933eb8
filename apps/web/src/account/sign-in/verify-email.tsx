import { Stack, Text } from '@mantine/core';
import type { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { SignInLayout } from './sign-in-layout';
import { PrimaryButton } from './primary-button';
import { isInvalidLink, type EmailLink } from './set-password';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

interface Props {
  readonly link: EmailLink;
  /** Calls the operation of the link, which makes the link invalid. Resolves to the address of the account. */
  readonly submitLink: () => Promise<string>;
  readonly onDone: (email: string) => void;
  readonly onInvalidLink: (problem: ApiProblem) => void;
}

/** Verifies an email address or cancels an email change. Requires a click, because mail scanners open links. */
export function VerifyEmail({ link, submitLink, onDone, onInvalidLink }: Props) {
  const step = useSignInStep(
    () =>
      submitLink().catch((error: unknown) => {
        if (!isInvalidLink(error)) throw error;
        onInvalidLink(error);
        return undefined;
      }),
    (email) => email !== undefined && onDone(email),
  );
  return (
    <SignInLayout
      title={link.purpose === 'email_change_cancel' ? t('signIn.verify.cancelTitle') : t('signIn.verify.title')}
      description={describePurpose(link)}
      organization={link.organization}
    >
      {step.error && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      <Stack>
        <Text fw={600} className="breakable">
          {link.email}
        </Text>
        <PrimaryButton
          type="button"
          autoFocus
          loading={step.isRunning}
          disabled={step.secondsLeft > 0}
          onClick={() => step.start(undefined)}
        >
          {link.purpose === 'email_change_cancel' ? t('signIn.verify.cancelSubmit') : t('signIn.verify.submit')}
        </PrimaryButton>
      </Stack>
    </SignInLayout>
  );
}

function describePurpose({ purpose, activatesAccount, organization: { name } }: EmailLink): string {
  if (purpose === 'email_change_cancel') return t('signIn.verify.cancels', { organization: name });
  if (purpose === 'email_change') return t('signIn.verify.changes', { organization: name });
  return activatesAccount
    ? t('signIn.verify.activates', { organization: name })
    : t('signIn.verify.confirms', { organization: name });
}
