import { List, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { choices, t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { webhooksQueryKey, type WebhookKey } from '../webhook-queries';
import { showSecrets } from './secret-dialog';
import { dialogs } from '../../../ui/dialogs';

const OVERLAP_DEFAULT_SECONDS = '86400';

/** Opens the dialog that rotates the secret and shows the new secret. */
export function openRotationDialog(key: WebhookKey): void {
  const dialogId = dialogs.open({
    title: t('webhookSigning.rotateTitle'),
    size: 'lg',
    children: <RotationForm webhookKey={key} onClose={() => dialogs.close(dialogId)} />,
  });
}

function useSecretRotation(webhookKey: WebhookKey, onClose: () => void) {
  return useApiMutation({
    mutationFn: async ({ overlap, secret }: { overlap: string; secret: string }) => {
      const body = { activateInSeconds: Number(overlap), ...(secret === '' ? {} : { secret }) };
      const path = '/v1/organizations/{org}/webhooks/{id}/rotate-secret';
      return (await unwrap(api.POST(path, { params: { path: webhookKey }, body }))).data;
    },
    invalidates: [webhooksQueryKey(webhookKey.org)],
    onSuccess: (secrets) => {
      onClose();
      showSecrets(
        t('webhookSigning.rotated'),
        secrets.nextSecret === null ? t('webhookSigning.rotatedImmediately') : t('webhookSigning.stepsOverlap.2'),
        secrets,
      );
    },
  });
}

function RotationForm({ webhookKey, onClose }: { webhookKey: WebhookKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT_SECONDS);
  const [secret, setSecret] = useState('');
  const change = useSecretRotation(webhookKey, onClose);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ overlap, secret });
      }}
    >
      <Stack>
        <Text size="sm">{t('webhookSigning.rotateExplained')}</Text>
        <Select
          label={t('webhookSigning.overlap')}
          data={choices('webhookSigning.overlaps')}
          value={overlap}
          onChange={(value) => value && setOverlap(value)}
          allowDeselect={false}
          data-autofocus
        />
        <TextInput
          label={t('webhookSigning.own')}
          description={t('webhookSigning.ownHint')}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          error={secret !== '' && secret.length < 16 ? t('webhookForm.secretTooShort') : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
        />
        <RotationSteps isImmediate={overlap === '0'} />
        {change.error && <ErrorNotice error={change.error} />}
        <DialogButtons
          submitLabel={t('webhookSigning.rotateSubmit')}
          isPending={change.isPending}
          isDisabled={secret !== '' && secret.length < 16}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function RotationSteps({ isImmediate }: { isImmediate: boolean }) {
  return (
    <div>
      <Title order={3} mb="xs">
        {t('webhookSigning.steps')}
      </Title>
      <List type="ordered" size="sm" spacing={4}>
        {choices(isImmediate ? 'webhookSigning.stepsImmediate' : 'webhookSigning.stepsOverlap').map(({ value, label }) => (
          <List.Item key={value}>{label}</List.Item>
        ))}
      </List>
      {!isImmediate && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('webhookSigning.stepsStandard')}
        </Text>
      )}
    </div>
  );
}
