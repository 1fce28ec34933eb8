import { Paper, Stack, Text } from '@mantine/core';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { redirectUriOf } from './provider-queries';

/** The redirect URI of a provider. Default: of OpenID Connect providers. */
export function RedirectUri({ type = 'oidc', issuer = '' }: Partial<Parameters<typeof redirectUriOf>[0]>) {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text fw={600}>{t('identityProviders.redirectUri')}</Text>
        <Text size="sm" c="dimmed">
          {t(`identityProviders.redirectUriHint.${type}`)}
        </Text>
        <CopyField value={redirectUriOf({ type, issuer })} label={t('identityProviders.redirectUri')} />
      </Stack>
    </Paper>
  );
}
