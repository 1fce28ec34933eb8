import { Anchor, Button, Divider, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { MarkGithubIcon, PasskeyFillIcon, SignInIcon } from '@primer/octicons-react';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { EmailField } from './email-field';
import { PrimaryButton } from './primary-button';
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

/** Asks for the first factor: a password, a passkey, or an identity provider. Offers only the identity providers if they are required. */
export function CredentialsStep(props: Props) {
  const { ssoRequired, identityProviders } = props.options;
  const [showsAll, setShowsAll] = useState(!ssoRequired || identityProviders.length === 0);
  return showsAll ? <AllMethods {...props} /> : <RequiredProviders {...props} onOtherMethods={() => setShowsAll(true)} />;
}

function RequiredProviders({ options, returnTo, onOtherMethods }: Props & { readonly onOtherMethods: () => void }) {
  const { slug, name } = options.organization;
  const step = useSignInStep(
    (id: string) => redirectToProvider(slug, id, returnTo),
    () => undefined,
  );
  return (
    <Stack>
      {step.error !== undefined && <SignInNotice error={step.error} secondsLeft={step.secondsLeft} />}
      <Text>{t('signIn.credentials.ssoRequired', { organization: name })}</Text>
      <Providers options={options} isRunning={step.isRunning} onProvider={step.start} />
      <Anchor component="button" type="button" size="sm" onClick={onOtherMethods}>
        {t('signIn.credentials.ownerMethods')}
      </Anchor>
    </Stack>
  );
}

function AllMethods({ options, email: initialEmail, returnTo, onOutcome }: Props) {
  const organization = options.organization.slug;
  const [email, setEmail] = useState(initialEmail);
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
    step.start(() => signInWithPassword({ organization, email: email.trim(), password }));
  };
  const { fields, rest } = formErrors(step.error, ['email', 'password']);
  return (
    <Stack>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <EmailField
            autoFocus={!initialEmail}
            value={email}
            error={missing.email ?? fields['email']}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            organization={organization}
            autoFocus={Boolean(initialEmail)}
            value={password}
            error={missing.password ?? fields['password']}
            onChange={setPassword}
          />
          <PrimaryButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {t('signIn.credentials.submit')}
          </PrimaryButton>
        </Stack>
      </form>
      <AlternativeMethods
        options={options}
        isRunning={step.isRunning}
        onPasskey={() => step.start(() => signInWithPasskey(organization))}
        onProvider={(id) => step.start(() => redirectToProvider(organization, id, returnTo))}
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

interface AlternativeMethodsProps {
  readonly options: SignInOptions;
  readonly isRunning: boolean;
  readonly onPasskey: () => void;
  readonly onProvider: (id: string) => void;
}

function AlternativeMethods({ options, isRunning, onPasskey, onProvider }: AlternativeMethodsProps) {
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
        <Providers options={options} isRunning={isRunning} onProvider={onProvider} />
      </Stack>
    </>
  );
}

function Providers({ options, isRunning, onProvider }: Omit<AlternativeMethodsProps, 'onPasskey'>) {
  return options.identityProviders.map(({ id, name, type }) => (
    <Button
      key={id}
      onClick={() => onProvider(id)}
      disabled={isRunning}
      variant="default"
      size="md"
      leftSection={type === 'github' ? <MarkGithubIcon size={20} /> : <SignInIcon size={20} />}
    >
      {t('signIn.credentials.withProvider', { name })}
    </Button>
  ));
}

async function signInWithPassword(body: Schema<'LoginRequest'>): Promise<SignInOutcome> {
  return (await unwrap(api.POST('/v1/auth/login', { body }))).data;
}

async function signInWithPasskey(organization: string): Promise<SignInOutcome> {
  const { publicKey } = (await unwrap(api.POST('/v1/auth/passkey/options', { body: { organization } }))).data;
  const credential = await signWithPasskey(publicKey);
  return (await unwrap(api.POST('/v1/auth/passkey', { body: { organization, credential } }))).data;
}

/** Redirects to the identity provider. */
async function redirectToProvider(organization: string, provider: string, returnTo: string | undefined): Promise<undefined> {
  const body = { organization, provider, returnTo: signInReturnUrl(organization, returnTo) };
  const { data } = await unwrap(api.POST('/v1/auth/oidc/start', { body }));
  window.location.assign(data.authorizationUrl);
}

/** The maximum length that the API accepts. */
const RETURN_TO_MAX_LENGTH = 512;

/** Returns the URL of the sign-in page with `returnTo`, or without parameters if the URL would be too long. */
function signInReturnUrl(organization: string, returnTo: string | undefined): string {
  const address = pageAddress('/account/sign-in', { organization, returnTo });
  return address.length <= RETURN_TO_MAX_LENGTH ? address : '/account/sign-in';
}
