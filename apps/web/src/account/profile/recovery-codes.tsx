import { Button, Code, CopyButton, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client';
import { texts } from '../../texts';
import { confirm } from '../../ui/confirm';
import { download } from '../../ui/download';
import { ReauthenticationCancelled } from './reauthentication';
import { useOwnChange } from './use-own-change';

const words = texts.account.recovery;

/** How many recovery codes are left, and the way to new ones. */
export function RecoveryCodes({ left }: { left: number }) {
  const renewal = useOwnChange({
    run: (_: void, currentPassword) =>
      answerOf(api.POST('/v1/auth/mfa/recovery-codes', { body: currentPassword === undefined ? {} : { currentPassword } })),
    outdates: [['own-mfa']],
    onDone: ({ data }) => showRecoveryCodes(data.recoveryCodes),
  });
  const askRenewal = () =>
    confirm({
      title: words.renewTitle,
      consequences: words.renewText,
      confirmLabel: words.renew,
      action: () =>
        renewal.mutateAsync().catch((error: unknown) => {
          if (!(error instanceof ReauthenticationCancelled)) throw error;
        }),
    });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {words.heading}
          </Title>
          <Text size="sm" c="dimmed">
            {words.left(left)} {words.explained}
          </Text>
        </div>
        <Button variant="default" onClick={askRenewal}>
          {words.renew}
        </Button>
      </Group>
    </Paper>
  );
}

/** Shows new recovery codes, which can't be read again. */
export function showRecoveryCodes(codes: readonly string[]): void {
  const modalId = modals.open({
    title: words.shown,
    // Only the button that says so closes it, so that they are not lost by a slip.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: <ShownCodes codes={codes} onKept={() => modals.close(modalId)} />,
  });
}

function ShownCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text size="sm">{words.shownText}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} fz="md" ta="center" p="xs">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} leftSection={<IconCopy size={16} aria-hidden />}>
              {copied ? texts.common.copied : words.copyAll}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => download(text, words.fileName, 'text/plain')}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {words.download}
        </Button>
      </Group>
      <Button onClick={onKept}>{words.kept}</Button>
    </Stack>
  );
}
