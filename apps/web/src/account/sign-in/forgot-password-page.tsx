import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { SignInLayout } from './sign-in-layout';
import { EmailSent } from './email-sent';
import { PrimaryButton } from './primary-button';
import { openPage, usePageEmail, usePageSearch } from './open-page';
import { PageLink } from './page-link';
import type { SignInOptions } from './sign-in-options';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';
import { WithOrganization } from './with-organization';

const PATH = '/account/forgot-password';

export function ForgotPasswordPage() {
  const { organization } = usePageSearch();
  return (
    <WithOrganization
      organization={organization}
      title={t('signIn.forgot.title')}
      onChosen={(slug, email) => void openPage(PATH, { organization: slug }, { email })}
    >
      {(options) => <ForgotPassword options={options} />}
    </WithOrganization>
  );
}

function ForgotPassword({ options: { organization } }: { options: SignInOptions }) {
  const [email, setEmail] = useState(usePageEmail());
  const [isMissing, setMissing] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const step = useSignInStep(
    (address: string) =>
      unwrap(api.POST('/v1/auth/forgot-password', { body: { organization: organization.slug, email: address } })),
    ({ data }) => setSentTo(data.email),
  );
  if (sentTo !== undefined) {
    const text = t('signIn.emailSent.forgot', { email: sentTo });
    return <EmailSent organization={organization} text={text} onOtherAddress={() => setSentTo(undefined)} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(email.trim() === '');
    if (email.trim()) step.start(email.trim());
  };
  const { fields, rest } = formErrors(step.error, ['email']);
  return (
    <SignInLayout title={t('signIn.forgot.title')} description={t('signIn.forgot.description')} organization={organization}>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <EmailField
            autoFocus
            value={email}
            error={isMissing ? t('signIn.credentials.emailMissing') : fields['email']}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PrimaryButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {t('signIn.forgot.submit')}
          </PrimaryButton>
        </Stack>
      </form>
      <PageLink to="/account/sign-in" search={{ organization: organization.slug }} size="sm" ta="center">
        {t('signIn.backToSignIn')}
      </PageLink>
    </SignInLayout>
  );
}
