import { Button, Group, List, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { answerOf, api } from '../../../api/client';
import { choices, t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useChange } from '../../../ui/use-change';
import { aboutWebhooks, type WebhookKey } from '../webhook-queries';
import { showSecrets } from './secret-once';

const OVERLAP_DEFAULT_SECONDS = '86400';

/** Asks how to replace a secret, says what receivers must do, and shows the new one. */
export function openRotation(key: WebhookKey): void {
  const modalId = modals.open({
    title: t('webhookSigning.rotateTitle'),
    size: 'lg',
    closeButtonProps: { 'aria-label': t('common.close') },
    children: <RotationForm webhookKey={key} onClose={() => modals.close(modalId)} />,
  });
}

function RotationForm({ webhookKey, onClose }: { webhookKey: WebhookKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT_SECONDS);
  const [secret, setSecret] = useState('');
  const change = useChange({
    run: async () => {
      const body = { activateInSeconds: Number(overlap), ...(secret === '' ? {} : { secret }) };
      const path = '/v1/organizations/{org}/webhooks/{id}/rotate-secret';
      return (await answerOf(api.POST(path, { params: { path: webhookKey }, body }))).data;
    },
    outdates: [aboutWebhooks(webhookKey.org)],
    onDone: (secrets) => {
      onClose();
      showSecrets(
        t('webhookSigning.rotated'),
        secrets.nextSecret === null ? t('webhookSigning.rotatedAtOnce') : t('webhookSigning.stepsOverlap.2'),
        secrets,
      );
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(undefined);
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
        <div>
          <Title order={3} mb="xs">
            {t('webhookSigning.steps')}
          </Title>
          <List type="ordered" size="sm" spacing={4}>
            {choices(overlap === '0' ? 'webhookSigning.stepsAtOnce' : 'webhookSigning.stepsOverlap').map(({ value, label }) => (
              <List.Item key={value}>{label}</List.Item>
            ))}
          </List>
          {overlap !== '0' && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('webhookSigning.stepsStandard')}
            </Text>
          )}
        </div>
        {change.error && <ErrorNotice error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={secret !== '' && secret.length < 16}>
            {t('webhookSigning.rotateGo')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
