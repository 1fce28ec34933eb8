import { Button, Checkbox, Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../api/client';
import { formErrors } from '../api/form-errors';
import { domainsQuery } from '../dashboard/connections/domains/domain-queries';
import {
  KNOWN_PROVIDERS,
  type KnownProvider,
  ProviderInstructions,
} from '../dashboard/connections/identity-providers/provider-instructions';
import { t } from '../texts';
import { ErrorNotice } from '../ui/error-notice';
import { useApiMutation } from '../ui/use-api-mutation';
import { providersKey } from './setup-queries';
import type { SetupScope } from './setup-scope';

const CHOICES = Object.keys(KNOWN_PROVIDERS) as KnownProvider[];

interface Fields {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly trusts: boolean;
}

const EMPTY: Fields = { name: '', issuer: '', clientId: '', clientSecret: '', trusts: true };

/** Asks for a known provider, and then for its values. */
export function ProviderSetupForm({ isFirst, ...scope }: SetupScope & { isFirst: boolean }) {
  const [isOpen, setOpen] = useState(isFirst);
  const [provider, setProvider] = useState<KnownProvider>('okta');
  if (!isOpen && !isFirst) {
    return (
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('setup.sso.another')}
        </Button>
      </Group>
    );
  }
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('setup.sso.provider')}
        data={CHOICES.map((value) => ({ value, label: KNOWN_PROVIDERS[value].name }))}
        value={provider}
        onChange={setProvider}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
      />
      {/* The key resets the form for another provider. */}
      <ValuesForm key={provider} {...scope} provider={provider} onConnected={() => setOpen(false)} />
    </Stack>
  );
}

function ValuesForm({
  client,
  org,
  steps,
  provider,
  onConnected,
}: SetupScope & { provider: KnownProvider; onConnected: () => void }) {
  const { name, type, issuer } = KNOWN_PROVIDERS[provider];
  const form = useForm<Fields>({
    // People who leave keep their verified addresses at GitHub, so trusting GitHub is a decision.
    initialValues: { ...EMPTY, name, issuer: provider === 'google' ? issuer : '', trusts: type === 'oidc' },
  });
  const domains = useQuery({ ...domainsQuery({ client, org }), enabled: steps.includes('domain') });
  const verified = domains.data?.data.filter(({ status }) => status === 'verified').map((domain) => domain.name) ?? [];
  const connect = useApiMutation({
    mutationFn: async ({ trusts, issuer: typed, ...fields }: Fields) => {
      const body = { ...fields, type, ...(typed ? { issuer: typed } : {}), trustedDomains: trusts ? verified : [] };
      return (await unwrap(client.POST('/v1/organizations/{org}/identity-providers', { params: { path: { org } }, body }))).data;
    },
    invalidates: [providersKey(org)],
    successMessage: (connected) => t('setup.sso.connected', { name: connected.name }),
    onSuccess: onConnected,
  });
  const { fields: errors, rest } = formErrors(connect.error, ['name', 'issuer', 'clientId', 'clientSecret']);
  return (
    <form onSubmit={form.onSubmit((fields) => connect.mutate(fields))}>
      <Stack maw={560} gap="sm">
        <ProviderInstructions provider={provider} issuer={form.values.issuer} headingOrder={3} />
        <ProviderFields form={form} provider={provider} errors={errors} />
        {verified.length > 0 ? (
          <Checkbox
            label={t('setup.sso.trust', { domains: verified.join(', ') })}
            description={t(`setup.sso.trustHint.${type}`)}
            {...form.getInputProps('trusts', { type: 'checkbox' })}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t('setup.sso.noDomain')}
          </Text>
        )}
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group>
          <Button type="submit" loading={connect.isPending}>
            {t('setup.sso.connect')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: Pick<UseFormReturnType<Fields>, 'getInputProps'>;
  readonly provider: KnownProvider;
  readonly errors: Readonly<Record<string, string>>;
}

function ProviderFields({ form, provider, errors }: FieldsProps) {
  const { type, issuer } = KNOWN_PROVIDERS[provider];
  return (
    <>
      <TextInput
        label={t(`identityProviders.issuer.${type}`)}
        description={t(`setup.sso.${provider}.issuer`)}
        placeholder={issuer}
        type="url"
        required={type === 'oidc'}
        maxLength={500}
        {...form.getInputProps('issuer')}
        error={errors['issuer']}
      />
      <TextInput
        label={t('identityProviders.clientId')}
        required
        maxLength={500}
        autoComplete="off"
        {...form.getInputProps('clientId')}
        error={errors['clientId']}
      />
      <PasswordInput
        label={t('identityProviders.clientSecret')}
        required
        maxLength={1000}
        autoComplete="off"
        {...form.getInputProps('clientSecret')}
        error={errors['clientSecret']}
      />
      <TextInput
        label={t('identityProviders.name')}
        description={t('identityProviders.nameHint')}
        required
        maxLength={100}
        {...form.getInputProps('name')}
        error={errors['name']}
      />
    </>
  );
}
