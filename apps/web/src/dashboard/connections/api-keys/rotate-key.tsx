import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { answerOf, api, type Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useChange } from '../../../ui/use-change';
import { showNewKey } from './new-key-dialog';

const words = texts.apiKeys;
const OVERLAPS: readonly [seconds: number, label: string][] = [
  [0, words.overlaps.none],
  [3_600, words.overlaps.hour],
  [86_400, words.overlaps.day],
  [604_800, words.overlaps.week],
];
const DEFAULT_OVERLAP_SECONDS = 86_400;

/** Asks how long the old key goes on working, and shows the new one. */
export function askToRotate(org: string, apiKey: Schema<'ApiKeyResponse'>): void {
  const modalId = modals.open({
    title: words.rotateTitle(apiKey.name),
    closeButtonProps: { 'aria-label': texts.common.close },
    children: <RotationForm org={org} apiKey={apiKey} onClose={() => modals.close(modalId)} />,
  });
}

function RotationForm({ org, apiKey, onClose }: { org: string; apiKey: Schema<'ApiKeyResponse'>; onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_SECONDS));
  const rotate = useChange({
    run: () => {
      const params = { path: { org, id: apiKey.id } };
      const body = { expiresInSeconds: Number(overlap) };
      return answerOf(api.POST('/v1/organizations/{org}/api-keys/{id}/rotate', { params, body }));
    },
    outdates: [['api-keys', org]],
    onDone: ({ data }) => {
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
        <Text size="sm">{words.rotateConsequences}</Text>
        <Radio.Group label={words.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(([seconds, label]) => (
              <Radio key={seconds} value={String(seconds)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        {rotate.error && <ErrorNotice error={rotate.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={rotate.isPending}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={rotate.isPending}>
            {words.rotate}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
