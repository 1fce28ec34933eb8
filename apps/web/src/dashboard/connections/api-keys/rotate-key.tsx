import { Radio, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { DEFAULT_OVERLAP_SECONDS, OVERLAPS } from '../overlaps';
import { showNewKey } from './new-key-dialog';

/** Opens the dialog that rotates a key: asks how long the previous key stays valid, and shows the new key. */
export function openRotateKeyDialog(org: string, apiKey: Schema<'ApiKeyResponse'>): void {
  const modalId = modals.open({
    title: t('apiKeys.rotateTitle', { name: apiKey.name }),
    closeButtonProps: { 'aria-label': t('common.close') },
    children: <RotationForm org={org} apiKey={apiKey} onClose={() => modals.close(modalId)} />,
  });
}

function RotationForm({ org, apiKey, onClose }: { org: string; apiKey: Schema<'ApiKeyResponse'>; onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_SECONDS));
  const rotate = useApiMutation({
    mutationFn: () => {
      const params = { path: { org, id: apiKey.id } };
      const body = { expiresInSeconds: Number(overlap) };
      return unwrap(api.POST('/v1/organizations/{org}/api-keys/{id}/rotate', { params, body }));
    },
    invalidates: [['api-keys', org]],
    onSuccess: ({ data }) => {
      onClose();
      showNewKey(org, data);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('apiKeys.rotateConsequences')}</Text>
        <Radio.Group label={t('apiKeys.overlap')} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(([seconds, label]) => (
              <Radio key={seconds} value={String(seconds)} label={t(label)} />
            ))}
          </Stack>
        </Radio.Group>
        {rotate.error && <ErrorNotice error={rotate.error} />}
        <DialogButtons submitLabel={t('apiKeys.rotate')} isPending={rotate.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
