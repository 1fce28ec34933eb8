import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { EmailSentNotice } from './email-sent';
import { usePageEmail, usePageSearch } from './open-page';
import { PrimaryButton } from './primary-button';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

interface Props {
  readonly initialSlug?: string | undefined;
  /** Whether there is no organization with the initial slug. */
  readonly isUnknown: boolean;
  /** `email` is the email address that the user entered. */
  readonly onChosen: (slug: string, email?: string) => void;
}

type Step = 'address' | 'name' | 'email' | 'sent';

/** Finds the organization: by the domain of the email address, by an email with links, or by its short name. */
export function OrganizationStep({ initialSlug = '', isUnknown, onChosen }: Props) {
  const [email, setEmail] = useState(usePageEmail());
  const [step, setStep] = useState<Step>(isUnknown ? 'name' : 'address');
  const byName = <OtherWay label={t('signIn.organizationStep.byName')} onClick={() => setStep('name')} />;
  const byEmail = <OtherWay label={t('signIn.organizationStep.byEmail')} onClick={() => setStep('address')} />;
  switch (step) {
    case 'address':
      return (
        <Stack>
          <AddressForm email={email} onEmail={setEmail} onChosen={onChosen} onUnknownDomain={() => setStep('email')} />
          {byName}
        </Stack>
      );
    case 'name':
      return (
        <Stack>
          <NameForm initialSlug={initialSlug} isUnknown={isUnknown} onChosen={(slug) => onChosen(slug, email || undefined)} />
          {byEmail}
        </Stack>
      );
    case 'email':
      return (
        <Stack>
          <SendLinks email={email.trim()} onSent={() => setStep('sent')} />
          {byName}
          <OtherWay label={t('signIn.emailSent.otherAddress')} onClick={() => setStep('address')} />
        </Stack>
      );
    case 'sent':
      return (
        <Stack>
          <EmailSentNotice text={t('signIn.emailSent.links', { email: email.trim() })} />
          <OtherWay label={t('signIn.emailSent.otherAddress')} onClick={() => setStep('address')} />
        </Stack>
      );
  }
}

/** Offers an email with links to the organizations of the address, if no organization has verified the domain of the address. */
function SendLinks({ email, onSent }: { readonly email: string; readonly onSent: () => void }) {
  const { returnTo } = usePageSearch();
  const step = useSignInStep(
    () => unwrap(api.POST('/v1/auth/sign-in-links', { body: { email, ...(returnTo ? { returnTo } : {}) } })),
    onSent,
  );
  const { fields, rest } = formErrors(step.error, ['email']);
  return (
    <>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <Text role="status" className="breakable">
        {fields['email'] ?? t('signIn.organizationStep.unknownDomain', { domain: email.slice(email.lastIndexOf('@') + 1) })}
      </Text>
      <PrimaryButton
        type="button"
        autoFocus
        loading={step.isRunning}
        disabled={step.secondsLeft > 0}
        onClick={() => step.start(undefined)}
      >
        {t('signIn.organizationStep.sendLinks')}
      </PrimaryButton>
    </>
  );
}

interface AddressProps extends Pick<Props, 'onChosen'> {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onUnknownDomain: () => void;
}

function AddressForm({ email, onEmail, onChosen, onUnknownDomain }: AddressProps) {
  const [isMissing, setMissing] = useState(false);
  const entered = email.trim();
  const discovery = useSignInStep(
    async (address: string) => (await unwrap(api.POST('/v1/auth/sign-in-options', { body: { email: address } }))).data,
    ({ organization }) => (organization ? onChosen(organization.slug, entered) : onUnknownDomain()),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(entered === '');
    if (entered.includes('@')) discovery.start(entered);
    // Some people enter the short name of the organization.
    else if (entered) onChosen(entered.toLowerCase());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EmailField
          autoFocus
          value={email}
          error={isMissing ? t('signIn.credentials.emailMissing') : discovery.error?.message}
          onChange={(event) => {
            onEmail(event.currentTarget.value);
            discovery.reset();
          }}
        />
        <PrimaryButton loading={discovery.isRunning} disabled={discovery.secondsLeft > 0}>
          {t('signIn.continue')}
        </PrimaryButton>
      </Stack>
    </form>
  );
}

interface NameProps {
  readonly initialSlug: string;
  readonly isUnknown: boolean;
  readonly onChosen: (slug: string) => void;
}

function NameForm({ initialSlug, isUnknown, onChosen }: NameProps) {
  const [text, setText] = useState(initialSlug);
  const entered = text.trim().toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entered) onChosen(entered);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('signIn.organizationStep.label')}
          description={t('signIn.organizationStep.hint')}
          name="organization"
          autoComplete="organization"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          size="md"
          maxLength={63}
          required
          withAsterisk={false}
          autoFocus
          value={text}
          error={isUnknown && entered === initialSlug ? t('signIn.organizationStep.unknown') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <PrimaryButton>{t('signIn.continue')}</PrimaryButton>
      </Stack>
    </form>
  );
}

function OtherWay({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      {label}
    </Anchor>
  );
}
