import { Paper, Stack, Text } from '@mantine/core';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { type ProviderType, redirectUriOf } from './provider-queries';

interface Props {
  readonly type: ProviderType;
  readonly issuer: string;
}

/** The redirect URI to copy, as soon as the issuer is known. */
export function RedirectUriField({ type, issuer }: Props) {
  const redirectUri = redirectUriOf({ type, issuer });
  if (redirectUri !== undefined) return <CopyField value={redirectUri} label={t('identityProviders.redirectUri')} />;
  return (
    <Text size="sm" role="status">
      {t('identityProviders.issuerFirst')}
    </Text>
  );
}

/** The redirect URI of a provider, with what to do with it. */
export function RedirectUri({ type, issuer }: Props) {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text fw={600}>{t('identityProviders.redirectUri')}</Text>
        <Text size="sm" c="dimmed">
          {t(`identityProviders.redirectUriHint.${type}`)}
        </Text>
        <RedirectUriField type={type} issuer={issuer} />
      </Stack>
    </Paper>
  );
}
