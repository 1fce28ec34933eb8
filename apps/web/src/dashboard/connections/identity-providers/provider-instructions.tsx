import { List, Stack, Text, Title } from '@mantine/core';
import { t } from '../../../texts';
import { RedirectUriField } from './redirect-uri';

/** The known providers, with an example of their issuer and the number of instructions. */
export const KNOWN_PROVIDERS = {
  okta: { name: 'Okta', type: 'oidc', issuer: 'https://acme.okta.com', instructions: 4 },
  entra: {
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
    instructions: 5,
  },
  google: { name: 'Google', type: 'oidc', issuer: 'https://accounts.google.com', instructions: 3 },
  keycloak: { name: 'Keycloak', type: 'oidc', issuer: 'https://login.example.com/realms/acme', instructions: 5 },
  github: { name: 'GitHub', type: 'github', issuer: 'https://github.com', instructions: 3 },
} as const;
export type KnownProvider = keyof typeof KNOWN_PROVIDERS;

interface Props {
  readonly provider: KnownProvider;
  /** The issuer as typed so far. */
  readonly issuer: string;
  readonly headingOrder: 2 | 3;
}

/** Shows the steps at a known provider, with the redirect URI to copy. */
export function ProviderInstructions({ provider, issuer, headingOrder }: Props) {
  const { name, type, instructions } = KNOWN_PROVIDERS[provider];
  const numbers = [1, 2, 3, 4, 5].slice(0, instructions) as (1 | 2 | 3)[];
  return (
    <Stack gap="xs">
      <Title order={headingOrder} size="h3">
        {t('setup.sso.instructions', { name })}
      </Title>
      <List type="ordered" size="sm" spacing={4}>
        {numbers.map((number) => (
          <List.Item key={number}>{t(`setup.sso.${provider}.${number}`)}</List.Item>
        ))}
      </List>
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t('identityProviders.redirectUri')}
        </Text>
        <RedirectUriField type={type} issuer={issuer} />
      </Stack>
    </Stack>
  );
}
