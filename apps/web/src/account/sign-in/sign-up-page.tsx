import { Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { SignInLayout } from './sign-in-layout';
import { EmailSent } from './email-sent';
import { PrimaryButton } from './primary-button';
import { type NewPassword, NewPasswordFields, EMPTY_PASSWORD, validateNewPassword } from './new-password-fields';
import { openPage, usePageEmail, usePageSearch } from './open-page';
import { PageLink } from './page-link';
import type { SignInOptions } from './sign-in-options';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';
import { WithOrganization } from './with-organization';

const PATH = '/account/sign-up';

/** Creates an account in an organization with open sign-up. */
export function SignUpPage() {
  const { organization } = usePageSearch();
  return (
    <WithOrganization
      organization={organization}
      title={t('signIn.credentials.signUp')}
      onChosen={(slug, email) => void openPage(PATH, { organization: slug }, { email })}
    >
      {(options) => (options.signUp.open ? <SignUp options={options} /> : <SignUpClosed options={options} />)}
    </WithOrganization>
  );
}

function SignUpClosed({ options: { organization } }: { options: SignInOptions }) {
  return (
    <SignInLayout
      title={t('signIn.signUp.closedTitle')}
      description={t('signIn.signUp.closed', { organization: organization.name })}
      organization={organization}
    >
      <PageLink to="/account/sign-in" search={{ organization: organization.slug }} size="sm">
        {t('signIn.backToSignIn')}
      </PageLink>
    </SignInLayout>
  );
}

const EMPTY = { firstName: '', lastName: '', email: '' };
const FIELDS = ['firstName', 'lastName', 'email', 'password'];

function SignUp({ options }: { options: SignInOptions }) {
  const { organization } = options;
  const knownEmail = usePageEmail();
  const [person, setPerson] = useState(() => ({ ...EMPTY, email: knownEmail }));
  const [chosen, setChosen] = useState<NewPassword>(EMPTY_PASSWORD);
  const [typing, setTyping] = useState<Record<string, string>>({});
  const [sentTo, setSentTo] = useState<string>();
  const step = useSignInStep(
    (body: Schema<'SignUpRequest'>) => unwrap(api.POST('/v1/auth/sign-up', { body })),
    ({ data }) => {
      setChosen(EMPTY_PASSWORD);
      setSentTo(data.email);
    },
  );
  if (sentTo !== undefined) {
    const text = t('signIn.emailSent.signUp', { email: sentTo });
    return <EmailSent organization={organization} text={text} onOtherAddress={() => setSentTo(undefined)} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { firstName, lastName, email } = trimmed(person);
    const problems = { ...(email ? {} : { email: t('signIn.credentials.emailMissing') }), ...validateNewPassword(chosen) };
    setTyping(problems);
    if (Object.keys(problems).length > 0) return;
    const names = { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) };
    step.start({ organization: organization.slug, email, password: chosen.password, ...names });
  };
  const { fields, rest } = formErrors(step.error, FIELDS);
  const problems = { ...fields, ...typing };
  return (
    <SignInLayout
      title={t('signIn.signUp.title', { organization: organization.name })}
      description={domainsOf(options)}
      organization={organization}
    >
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <PersonFields person={person} problems={problems} onChange={setPerson} />
          <NewPasswordFields
            policy={options.passwordPolicy}
            label={t('signIn.password')}
            value={chosen}
            problems={problems}
            onChange={setChosen}
          />
          <PrimaryButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {t('signIn.signUp.submit')}
          </PrimaryButton>
        </Stack>
      </form>
      <HaveAccount organization={organization.slug} />
    </SignInLayout>
  );
}

function HaveAccount({ organization }: { organization: string }) {
  return (
    <Text size="sm" ta="center">
      {t('signIn.signUp.haveAccount')}{' '}
      <PageLink to="/account/sign-in" search={{ organization }} inherit underline="always">
        {t('signIn.credentials.submit')}
      </PageLink>
    </Text>
  );
}

const domainsOf = ({ signUp: { allowedDomains } }: SignInOptions): string | undefined =>
  allowedDomains.length > 0 ? t('signIn.signUp.domains', { domains: allowedDomains.join(', ') }) : undefined;

const trimmed = ({ firstName, lastName, email }: typeof EMPTY): typeof EMPTY => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
});

interface PersonProps {
  readonly person: typeof EMPTY;
  readonly problems: Record<string, string>;
  readonly onChange: (person: typeof EMPTY) => void;
}

function PersonFields({ person, problems, onChange }: PersonProps) {
  const field = (name: keyof typeof EMPTY) => ({
    name,
    size: 'md',
    value: person[name],
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ ...person, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
        <TextInput {...field('firstName')} label={t('signIn.signUp.firstName')} autoComplete="given-name" autoFocus />
        <TextInput {...field('lastName')} label={t('signIn.signUp.lastName')} autoComplete="family-name" />
      </Group>
      <EmailField {...field('email')} />
    </>
  );
}
