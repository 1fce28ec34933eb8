import { Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { baseUrl } from '../../api/base-url';
import { choices, t } from '../../texts';
import { useHasPermission } from '../permissions';
import type { Application } from './application-queries';
import type { ApplicationForm } from './application-values';

interface Props {
  readonly form: ApplicationForm;
  readonly application: Application;
  readonly errors: Readonly<Record<string, string>>;
  readonly isReadOnly: boolean;
}

const PROOFS = ['requirePushedAuthorizationRequests', 'dpopBoundAccessTokens'] as const;
const LINKS = ['homePageUri', 'logoUri', 'termsUri', 'privacyUri'] as const;

/** Edits what users see of an application. */
export function AppearanceFields({ form, errors, isReadOnly }: Omit<Props, 'application'>) {
  return LINKS.map((field) => (
    <TextInput
      key={field}
      type="url"
      label={t(`applications.${field}`)}
      placeholder="https://"
      disabled={isReadOnly}
      {...form.getInputProps(field)}
      error={errors[field]}
    />
  ));
}

/** Edits for whom an application signs users in, and whether they are asked. */
export function UserFields({ form, application, errors, isReadOnly }: Props) {
  const hasAllPermissions = useHasPermission('*');
  if (application.type === 'machine') return null;
  return (
    <>
      <Select
        label={t('applications.visibility')}
        data={choices('applications.visibilities')}
        allowDeselect={false}
        disabled={isReadOnly}
        {...form.getInputProps('visibility')}
      />
      <Select
        label={t('applications.consent')}
        description={t('applications.consentHint')}
        data={choices('applications.consents')}
        allowDeselect={false}
        disabled={isReadOnly || !hasAllPermissions}
        {...form.getInputProps('consent')}
        error={errors['consent']}
      />
    </>
  );
}

/** Edits how an application learns that a session ended. */
export function LogoutFields({ form, application, errors, isReadOnly }: Props) {
  if (application.type === 'machine') return null;
  return (
    <>
      <TextInput
        type="url"
        label={t('applications.backchannelLogoutUri')}
        description={t('applications.backchannelLogoutUriHint')}
        placeholder="https://app.example.com/backchannel-logout"
        disabled={isReadOnly}
        {...form.getInputProps('backchannelLogoutUri')}
        error={errors['backchannelLogoutUri']}
      />
      {form.values.backchannelLogoutUri !== '' && (
        <Switch
          label={t('applications.backchannelLogoutSessionRequired')}
          description={t('applications.backchannelLogoutSessionRequiredHint')}
          disabled={isReadOnly}
          {...form.getInputProps('backchannelLogoutSessionRequired', { type: 'checkbox' })}
        />
      )}
    </>
  );
}

/** Edits how an application authenticates, and from where. */
export function SecurityFields({ form, application, errors, isReadOnly }: Props) {
  const { type } = application;
  const isConfidential = type === 'web' || type === 'machine';
  return (
    <>
      {type === 'single_page' && (
        <TagsInput
          label={t('applications.origins')}
          description={t('applications.originsHint')}
          placeholder="https://app.example.com"
          splitChars={[',', ' ', '\n']}
          acceptValueOnBlur
          disabled={isReadOnly}
          {...form.getInputProps('origins')}
          error={errors['origins']}
        />
      )}
      {isConfidential && <AuthenticationFields {...{ form, application, errors, isReadOnly }} />}
      {type !== 'machine' && (
        <Select
          label={t('applications.idTokenAlgorithm')}
          description={t('applications.idTokenAlgorithmHint')}
          data={['ES256', 'RS256']}
          allowDeselect={false}
          disabled={isReadOnly}
          {...form.getInputProps('idTokenAlgorithm')}
        />
      )}
      <TagsInput
        label={t('apiKeys.networks')}
        description={t('applications.networksHint')}
        placeholder="203.0.113.0/24"
        splitChars={[',', ' ']}
        acceptValueOnBlur
        disabled={isReadOnly}
        {...form.getInputProps('allowedNetworks')}
        error={errors['allowedNetworks']}
      />
      {PROOFS.filter((field) => field === 'dpopBoundAccessTokens' || type !== 'machine').map((field) => (
        <Switch
          key={field}
          label={t(`applications.${field}`)}
          description={t(`applications.${field}Hint`)}
          disabled={isReadOnly}
          {...form.getInputProps(field, { type: 'checkbox' })}
        />
      ))}
      <Switch
        label={t('applications.enabled')}
        description={t('applications.enabledHint')}
        disabled={isReadOnly}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
    </>
  );
}

/** How an application gets access without asking users. Only applications with a secret or key can. */
export function GrantFields({ form, application, errors, isReadOnly }: Props) {
  if (application.type !== 'web' && application.type !== 'machine') return null;
  const grant = (field: 'exchangesTokens' | 'acceptsAssertions') => (
    <Switch
      label={t(`applications.${field}`)}
      description={t(`applications.${field}Hint`)}
      disabled={isReadOnly}
      {...form.getInputProps(field, { type: 'checkbox' })}
    />
  );
  return (
    <>
      {grant('exchangesTokens')}
      {form.values.exchangesTokens && (
        <TagsInput
          label={t('applications.audiences')}
          description={t('applications.audiencesHint')}
          placeholder="https://orders.example.com"
          data={form.values.resources.map(({ identifier }) => identifier).filter((identifier) => identifier !== baseUrl)}
          splitChars={[',', ' ', '\n']}
          acceptValueOnBlur
          disabled={isReadOnly}
          {...form.getInputProps('audiences')}
          error={errors['audiences']}
        />
      )}
      {grant('acceptsAssertions')}
    </>
  );
}

function AuthenticationFields({ form, application, errors, isReadOnly }: Props) {
  return (
    <>
      <Select
        label={t('applications.authentication')}
        data={choices('applications.authentications')}
        allowDeselect={false}
        disabled={isReadOnly}
        {...form.getInputProps('authentication')}
      />
      {form.values.authentication === 'private_key_jwt' && application.jwks === null && (
        <TextInput
          type="url"
          label={t('applications.jwksUri')}
          placeholder="https://app.example.com/jwks.json"
          required
          disabled={isReadOnly}
          {...form.getInputProps('jwksUri')}
          error={errors['jwksUri']}
        />
      )}
    </>
  );
}
