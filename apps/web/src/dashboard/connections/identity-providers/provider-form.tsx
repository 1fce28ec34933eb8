import { Button, Checkbox, Group, PasswordInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';
import { useOrganizationId } from '../../organization';
import { permissionsQuery } from '../../permissions';
import { KNOWN_PROVIDERS, type KnownProvider, ProviderInstructions } from './provider-instructions';
import type { ProviderType } from './provider-queries';
import { RedirectUri } from './redirect-uri';

/** Like a domain, in Unicode or in ASCII. The API checks it exactly. */
const DOMAIN = /^[^\s@/:.]+(?:\.[^\s@/:.]+)+$/;
const FIELDS_WITH_ERRORS = ['name', 'issuer', 'clientId', 'clientSecret', 'trustedDomains', 'allowedClients'];

export interface ProviderFields {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The new secret. Empty keeps the saved secret. */
  readonly clientSecret: string;
  readonly removeSecret: boolean;
  readonly trustedDomains: string[];
  readonly mfaTrusted: boolean;
  readonly allowedClients: string[];
  readonly enabled: boolean;
}

interface Props {
  readonly type: ProviderType;
  readonly initial: ProviderFields;
  readonly hasSecret: boolean;
  /** The product of a new provider. Its instructions are shown. */
  readonly product?: KnownProvider | 'other';
  readonly isReadOnly?: boolean;
  readonly submitLabel: string;
  readonly change: { isPending: boolean; error: unknown; mutate: (fields: ProviderFields) => void };
  /** Shown next to the submit button. */
  readonly children?: ReactNode;
  readonly onDirty?: (isDirty: boolean) => void;
}

export function ProviderForm(props: Props) {
  const { type, initial, hasSecret, product, isReadOnly = false, submitLabel, change, children, onDirty } = props;
  const form = useForm<ProviderFields>({
    initialValues: initial,
    validate: { trustedDomains: validateDomains },
    onValuesChange: (values) => onDirty?.(JSON.stringify(values) !== JSON.stringify(initial)),
  });
  useUnsavedChanges(form.isDirty());
  const { fields: errors, rest } = formErrors(change.error, FIELDS_WITH_ERRORS);
  return (
    <form onSubmit={form.onSubmit((fields) => change.mutate(fields))}>
      <Stack maw={640}>
        {product !== undefined && product !== 'other' && (
          <ProviderInstructions provider={product} issuer={form.values.issuer} headingOrder={2} />
        )}
        <ConnectionFields type={type} form={form} product={product} isReadOnly={isReadOnly} errors={errors} />
        <SecretField type={type} form={form} hasSecret={hasSecret} isReadOnly={isReadOnly} error={errors['clientSecret']} />
        <TrustField type={type} form={form} initial={initial} isReadOnly={isReadOnly} error={errors['trustedDomains']} />
        {type === 'oidc' && <StatementFields form={form} isReadOnly={isReadOnly} error={errors['allowedClients']} />}
        <Switch
          label={t('identityProviders.enabled')}
          description={t('identityProviders.enabledHint')}
          disabled={isReadOnly}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={change.isPending}>
              {submitLabel}
            </Button>
            {children}
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly form: Pick<UseFormReturnType<ProviderFields>, 'values' | 'getInputProps'>;
  readonly isReadOnly: boolean;
  readonly error?: string;
}

interface TypedFieldProps extends FieldProps {
  readonly type: ProviderType;
}

interface ConnectionFieldsProps extends Omit<TypedFieldProps, 'error'> {
  readonly product: Props['product'];
  readonly errors: Readonly<Record<string, string>>;
}

function ConnectionFields({ type, form, product, isReadOnly, errors }: ConnectionFieldsProps) {
  const text = (name: 'name' | 'issuer' | 'clientId') => ({
    ...form.getInputProps(name),
    error: errors[name],
    required: true,
    disabled: isReadOnly,
  });
  const known = type === 'github' ? 'github' : product;
  const example = known === undefined || known === 'other' ? 'https://login.example.com' : KNOWN_PROVIDERS[known].issuer;
  return (
    <>
      <TextInput
        label={t('identityProviders.name')}
        description={t('identityProviders.nameHint')}
        placeholder={t('identityProviders.namePlaceholder')}
        maxLength={100}
        {...text('name')}
      />
      <TextInput
        label={t(`identityProviders.issuer.${type}`)}
        description={t(`identityProviders.issuerHint.${type}`)}
        placeholder={example}
        type="url"
        maxLength={500}
        {...text('issuer')}
        required={type === 'oidc'}
      />
      {product === 'other' && <RedirectUri type={type} issuer={form.values.issuer} />}
      <TextInput
        label={t('identityProviders.clientId')}
        description={t('identityProviders.clientIdHint')}
        maxLength={500}
        autoComplete="off"
        {...text('clientId')}
      />
    </>
  );
}

function SecretField({ type, form, hasSecret, isReadOnly, error }: TypedFieldProps & { hasSecret: boolean }) {
  const isOptional = type === 'oidc';
  return (
    <Stack gap="xs">
      <PasswordInput
        label={t('identityProviders.clientSecret')}
        description={hasSecret ? t('identityProviders.clientSecretKept') : t(`identityProviders.clientSecretHint.${type}`)}
        required={!isOptional && !hasSecret}
        maxLength={1000}
        autoComplete="new-password"
        disabled={isReadOnly || form.values.removeSecret}
        visibilityToggleButtonProps={{ 'aria-label': t('identityProviders.clientSecretShow') }}
        {...form.getInputProps('clientSecret')}
        error={error}
      />
      {hasSecret && isOptional && !isReadOnly && (
        <Checkbox
          label={t('identityProviders.clientSecretRemove')}
          {...form.getInputProps('removeSecret', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
}

/** Edits what the service believes of a provider about its users, apart from addresses. GitHub states nothing else. */
function StatementFields({ form, isReadOnly, error }: FieldProps) {
  return (
    <>
      <Switch
        label={t('identityProviders.mfaTrusted')}
        description={t('identityProviders.mfaTrustedHint')}
        disabled={isReadOnly}
        {...form.getInputProps('mfaTrusted', { type: 'checkbox' })}
      />
      <TagsInput
        label={t('identityProviders.allowedClients')}
        description={t('identityProviders.allowedClientsHint')}
        placeholder="app_…"
        splitChars={[',', ' ']}
        acceptValueOnBlur
        disabled={isReadOnly}
        {...form.getInputProps('allowedClients')}
        error={error}
      />
    </>
  );
}

/**
 * Edits the trusted domains. A caller needs all permissions to add a domain, but only the write permission to remove a domain.
 */
function TrustField({ type, form, initial, isReadOnly, error }: TypedFieldProps & { initial: ProviderFields }) {
  const { data: mine = [] } = useQuery(permissionsQuery(useOrganizationId()));
  const canAddDomains = mine.includes('*');
  const { error: typedError, ...input } = form.getInputProps('trustedDomains') as { error?: string };
  return (
    <TagsInput
      label={t('identityProviders.trustedDomains')}
      description={
        canAddDomains
          ? t(`identityProviders.trustedDomainsHint.${type}`)
          : `${t(`identityProviders.trustedDomainsHint.${type}`)} ${t('identityProviders.trustedDomainsOwner')}`
      }
      placeholder={t('identityProviders.trustedDomainsPlaceholder')}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      maxTags={50}
      disabled={isReadOnly || (!canAddDomains && initial.trustedDomains.length === 0)}
      {...input}
      error={typedError ?? error}
    />
  );
}

function validateDomains(domains: readonly string[]): string | null {
  const malformed = domains.filter((domain) => !DOMAIN.test(domain));
  return malformed.length > 0 ? t('identityProviders.trustedDomainsInvalid', { names: malformed.join(', ') }) : null;
}
