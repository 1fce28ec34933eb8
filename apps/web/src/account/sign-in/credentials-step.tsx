import { Button, Divider, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { PasskeyFillIcon, SignInIcon } from '@primer/octicons-react';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { fieldProblems } from '../../api/field-problems';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { MainButton } from './main-button';
import { pageAddress } from './page-address';
import { PageLink } from './page-link';
import { signWithPasskey } from './passkey';
import type { SignInOptions } from './sign-in-options';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

export type SignInOutcome = Schema<'SignInResponse'>;

interface Props {
  readonly options: SignInOptions;
  readonly email: string;
  readonly returnTo: string | undefined;
  readonly onOutcome: (outcome: SignInOutcome) => void;
}

/** Asks for the first factor: a password, a passkey, or an identity provider. */
export function CredentialsStep({ options, email: given, returnTo, onOutcome }: Props) {
  const organization = options.organization.slug;
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({});
  const step = useSignInStep(
    (prove: () => Promise<SignInOutcome | undefined>) => prove(),
    (outcome) => outcome && onOutcome(outcome),
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problems = {
      ...(email.trim() ? {} : { email: t('signIn.credentials.emailMissing') }),
      ...(password ? {} : { password: t('signIn.credentials.passwordMissing') }),
    };
    setMissing(problems);
    if (Object.keys(problems).length > 0) return;
    step.start(() => withPassword({ organization, email: email.trim(), password }));
  };
  const { fields, rest } = fieldProblems(step.error, ['email', 'password']);
  return (
    <Stack>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <EmailField
            autoFocus={!given}
            value={email}
            error={missing.email ?? fields['email']}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            organization={organization}
            autoFocus={Boolean(given)}
            value={password}
            error={missing.password ?? fields['password']}
            onChange={setPassword}
          />
          <MainButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {t('signIn.credentials.submit')}
          </MainButton>
        </Stack>
      </form>
      <OtherWays
        options={options}
        isRunning={step.isRunning}
        onPasskey={() => step.start(() => withPasskey(organization))}
        onProvider={(id) => step.start(() => withProvider(organization, id, returnTo))}
      />
      {options.signUp.open && (
        <Text size="sm" ta="center">
          {t('signIn.credentials.noAccount')}{' '}
          <PageLink to="/account/sign-up" search={{ organization }} inherit underline="always">
            {t('signIn.credentials.signUp')}
          </PageLink>
        </Text>
      )}
    </Stack>
  );
}

interface PasswordFieldProps {
  readonly organization: string;
  readonly autoFocus: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (password: string) => void;
}

function PasswordField({ organization, autoFocus, value, error, onChange }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  return (
    <Stack gap={6}>
      <PasswordInput
        label={t('signIn.password')}
        name="password"
        autoComplete="current-password"
        size="md"
        required
        withAsterisk={false}
        autoFocus={autoFocus}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={isVisible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          'aria-label': isVisible ? t('signIn.credentials.hide') : t('signIn.credentials.show'),
          tabIndex: 0,
        }}
      />
      <Group justify="flex-end">
        <PageLink to="/account/forgot-password" search={{ organization }} size="sm">
          {t('signIn.credentials.forgot')}
        </PageLink>
      </Group>
    </Stack>
  );
}

interface OtherWaysProps {
  readonly options: SignInOptions;
  readonly isRunning: boolean;
  readonly onPasskey: () => void;
  readonly onProvider: (id: string) => void;
}

function OtherWays({ options, isRunning, onPasskey, onProvider }: OtherWaysProps) {
  const hasPasskeys = options.methods.includes('passkey');
  if (!hasPasskeys && options.identityProviders.length === 0) return null;
  return (
    <>
      <Divider label={t('signIn.or')} />
      <Stack gap="sm">
        {hasPasskeys && (
          <Button
            variant="default"
            size="md"
            leftSection={<PasskeyFillIcon size={20} />}
            onClick={onPasskey}
            disabled={isRunning}
          >
            {t('signIn.credentials.withPasskey')}
          </Button>
        )}
        {options.identityProviders.map(({ id, name }) => (
          <Button
            key={id}
            onClick={() => onProvider(id)}
            disabled={isRunning}
            variant="default"
            size="md"
            leftSection={<SignInIcon size={20} />}
          >
            {t('signIn.credentials.withProvider', { name })}
          </Button>
        ))}
      </Stack>
    </>
  );
}

async function withPassword(body: Schema<'LoginRequest'>): Promise<SignInOutcome> {
  return (await answerOf(api.POST('/v1/auth/login', { body }))).data;
}

async function withPasskey(organization: string): Promise<SignInOutcome> {
  const { publicKey } = (await answerOf(api.POST('/v1/auth/passkey/options', { body: { organization } }))).data;
  const credential = await signWithPasskey(publicKey);
  return (await answerOf(api.POST('/v1/auth/passkey', { body: { organization, credential } }))).data;
}

/** Redirects to the identity provider. Resolves to undefined, since the browser leaves the page. */
async function withProvider(organization: string, provider: string, returnTo: string | undefined): Promise<undefined> {
  const body = { organization, provider, returnTo: backToHere(organization, returnTo) };
  const { data } = await answerOf(api.POST('/v1/auth/oidc/start', { body }));
  window.location.assign(data.authorizationUrl);
}

/** The maximum length that the API accepts. */
const LONGEST_RETURN_TO = 512;

/** Returns the URL of this page, which keeps `returnTo` even when a second factor must be added first. */
function backToHere(organization: string, returnTo: string | undefined): string {
  const address = pageAddress('/account/sign-in', { organization, returnTo });
  return address.length <= LONGEST_RETURN_TO ? address : '/account/sign-in';
}
