import { Paper, Stack, Text } from '@mantine/core';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { REDIRECT_URI } from './provider-queries';

export function RedirectUri() {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text fw={600}>{t('identityProviders.redirectUri')}</Text>
        <Text size="sm" c="dimmed">
          {t('identityProviders.redirectUriHint')}
        </Text>
        <CopyField value={REDIRECT_URI} label={t('identityProviders.redirectUri')} />
      </Stack>
    </Paper>
  );
}
