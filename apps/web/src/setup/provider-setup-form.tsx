import { Button, Checkbox, Group, List, PasswordInput, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../api/client';
import { formErrors } from '../api/form-errors';
import { domainsQuery } from '../dashboard/connections/domains/domain-queries';
import { REDIRECT_URI } from '../dashboard/connections/identity-providers/provider-queries';
import { t } from '../texts';
import { CopyField } from '../ui/copy-field';
import { ErrorNotice } from '../ui/error-notice';
import { useApiMutation } from '../ui/use-api-mutation';
import { providersKey } from './setup-queries';
import type { SetupScope } from './setup-scope';

/** The known providers, with an example of their issuer and the number of instructions. */
const PROVIDERS = {
  okta: { name: 'Okta', issuer: 'https://acme.okta.com', instructions: 4 },
  entra: { name: 'Microsoft Entra ID', issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0', instructions: 5 },
  google: { name: 'Google', issuer: 'https://accounts.google.com', instructions: 3 },
  keycloak: { name: 'Keycloak', issuer: 'https://login.example.com/realms/acme', instructions: 5 },
} as const;
type KnownProvider = keyof typeof PROVIDERS;
const KNOWN_PROVIDERS = Object.keys(PROVIDERS) as KnownProvider[];

interface Fields {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly trusts: boolean;
}

const EMPTY: Fields = { name: '', issuer: '', clientId: '', clientSecret: '', trusts: true };

/** Shows the instructions for a provider with the values to copy, and the form for the values of the provider. */
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
        data={KNOWN_PROVIDERS.map((value) => ({ value, label: PROVIDERS[value].name }))}
        value={provider}
        onChange={setProvider}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
      />
      <Instructions provider={provider} />
      {/* The key resets the form for another provider. */}
      <ValuesForm key={provider} {...scope} provider={provider} onConnected={() => setOpen(false)} />
    </Stack>
  );
}

function Instructions({ provider }: { provider: KnownProvider }) {
  const numbers = [1, 2, 3, 4, 5].slice(0, PROVIDERS[provider].instructions) as (1 | 2 | 3)[];
  return (
    <Stack gap="xs">
      <Title order={3}>{t('setup.sso.instructions', { name: PROVIDERS[provider].name })}</Title>
      <List type="ordered" size="sm" spacing={4}>
        {numbers.map((number) => (
          <List.Item key={number}>{t(`setup.sso.${provider}.${number}`)}</List.Item>
        ))}
      </List>
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t('identityProviders.redirectUri')}
        </Text>
        <CopyField value={REDIRECT_URI} label={t('identityProviders.redirectUri')} />
      </Stack>
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
  const { name, issuer } = PROVIDERS[provider];
  const form = useForm<Fields>({
    initialValues: { ...EMPTY, name, issuer: provider === 'google' ? issuer : '' },
  });
  const domains = useQuery({ ...domainsQuery({ client, org }), enabled: steps.includes('domain') });
  const verified = domains.data?.data.filter(({ status }) => status === 'verified').map((domain) => domain.name) ?? [];
  const connect = useApiMutation({
    mutationFn: async ({ trusts, ...fields }: Fields) => {
      const body = { ...fields, trustedDomains: trusts ? verified : [] };
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
        <ProviderFields form={form} provider={provider} errors={errors} />
        {verified.length > 0 ? (
          <Checkbox
            label={t('setup.sso.trust', { domains: verified.join(', ') })}
            description={t('setup.sso.trustHint')}
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
  return (
    <>
      <TextInput
        label={t('identityProviders.issuer')}
        description={t(`setup.sso.${provider}.issuer`)}
        placeholder={PROVIDERS[provider].issuer}
        type="url"
        required
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
