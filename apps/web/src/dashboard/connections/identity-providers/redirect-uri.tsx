import { Paper, Stack, Text } from '@mantine/core';
import { texts } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { REDIRECT_URI } from './provider-queries';

const words = texts.identityProviders;

/** What has to be registered at every provider. */
export function RedirectUri() {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text fw={600}>{words.redirectUri}</Text>
        <Text size="sm" c="dimmed">
          {words.redirectUriHint}
        </Text>
        <CopyField value={REDIRECT_URI} label={words.redirectUri} />
      </Stack>
    </Paper>
  );
}
