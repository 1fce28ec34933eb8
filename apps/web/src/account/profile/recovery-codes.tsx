import { Button, Code, CopyButton, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { CopyIcon, DownloadIcon } from '@primer/octicons-react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { download } from '../../ui/download';
import { PasswordPromptCanceled } from './password-prompt';
import { useAccountMutation } from './use-account-mutation';
import { dialogs } from '../../ui/dialogs';

export function RecoveryCodes({ left }: { left: number }) {
  const renewal = useAccountMutation({
    mutationFn: (_: void, currentPassword) =>
      unwrap(api.POST('/v1/auth/mfa/recovery-codes', { body: currentPassword === undefined ? {} : { currentPassword } })),
    invalidates: [['own-mfa']],
    onSuccess: ({ data }) => showRecoveryCodes(data.recoveryCodes),
  });
  const confirmRenewal = () =>
    confirm({
      title: t('account.recovery.renewTitle'),
      consequences: t('account.recovery.renewText'),
      confirmLabel: t('account.recovery.renew'),
      action: () =>
        renewal.mutateAsync().catch((error: unknown) => {
          if (!(error instanceof PasswordPromptCanceled)) throw error;
        }),
    });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            {t('account.recovery.heading')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('account.recovery.left', { count: left })} {t('account.recovery.explained')}
          </Text>
        </div>
        <Button variant="default" onClick={confirmRenewal}>
          {t('account.recovery.renew')}
        </Button>
      </Group>
    </Paper>
  );
}

/** Shows new recovery codes once. */
export function showRecoveryCodes(codes: readonly string[]): void {
  const dialogId = dialogs.open({
    title: t('account.recovery.shown'),
    // The codes are shown only once, so only the confirmation button closes the dialog.
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: <RecoveryCodesContent codes={codes} onSaved={() => dialogs.close(dialogId)} />,
  });
}

function RecoveryCodesContent({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text size="sm">{t('account.recovery.shownText')}</Text>
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
            <Button variant="default" onClick={copy} leftSection={<CopyIcon size={16} />}>
              {copied ? t('common.copied') : t('account.recovery.copyAll')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => download(text, t('account.recovery.fileName'), 'text/plain')}
          leftSection={<DownloadIcon size={16} />}
        >
          {t('account.recovery.download')}
        </Button>
      </Group>
      <Button onClick={onSaved}>{t('account.recovery.kept')}</Button>
    </Stack>
  );
}
