import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { usePageEmail } from './open-page';
import { PrimaryButton } from './primary-button';
import { useSignInStep } from './use-sign-in-step';

interface Props {
  readonly initialSlug?: string | undefined;
  /** Whether there is no organization with the initial slug. */
  readonly isUnknown: boolean;
  /** `email` is the email address that the user entered. */
  readonly onChosen: (slug: string, email?: string) => void;
}

/** Finds the organization: by the domain of the email address, or by its short name. */
export function OrganizationStep({ initialSlug = '', isUnknown, onChosen }: Props) {
  const [email, setEmail] = useState(usePageEmail());
  const [unknownDomain, setUnknownDomain] = useState<string>();
  const [asksForName, setAsksForName] = useState(isUnknown);
  if (asksForName || unknownDomain !== undefined)
    return (
      <Stack>
        {unknownDomain !== undefined && (
          <Text role="status" className="breakable">
            {t('signIn.organizationStep.unknownDomain', { domain: unknownDomain })}
          </Text>
        )}
        <NameForm initialSlug={initialSlug} isUnknown={isUnknown} onChosen={(slug) => onChosen(slug, email || undefined)} />
        <OtherWay
          label={t('signIn.organizationStep.byEmail')}
          onClick={() => {
            setUnknownDomain(undefined);
            setAsksForName(false);
          }}
        />
      </Stack>
    );
  return (
    <Stack>
      <AddressForm email={email} onEmail={setEmail} onChosen={onChosen} onUnknownDomain={setUnknownDomain} />
      <OtherWay label={t('signIn.organizationStep.byName')} onClick={() => setAsksForName(true)} />
    </Stack>
  );
}

interface AddressProps extends Pick<Props, 'onChosen'> {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onUnknownDomain: (domain: string) => void;
}

function AddressForm({ email, onEmail, onChosen, onUnknownDomain }: AddressProps) {
  const [isMissing, setMissing] = useState(false);
  const entered = email.trim();
  const discovery = useSignInStep(
    async (address: string) => (await unwrap(api.POST('/v1/auth/sign-in-options', { body: { email: address } }))).data,
    ({ organization }) =>
      organization ? onChosen(organization.slug, entered) : onUnknownDomain(entered.slice(entered.lastIndexOf('@') + 1)),
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
