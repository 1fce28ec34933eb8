import { Radio, Stack, Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { dialogs } from '../../ui/dialogs';

/** How long the previous credential works after a rotation, in seconds, with the labels. */
const OVERLAPS = [
  [0, 'apiKeys.overlaps.none'],
  [3_600, 'apiKeys.overlaps.hour'],
  [86_400, 'apiKeys.overlaps.day'],
  [604_800, 'apiKeys.overlaps.week'],
] as const;
const DEFAULT_OVERLAP_SECONDS = 86_400;

interface Rotation<Created> {
  readonly title: string;
  readonly consequences: string;
  readonly overlapLabel: string;
  readonly submitLabel: string;
  /** Creates the new credential. The previous one expires after the time. */
  readonly rotate: (expiresInSeconds: number) => Promise<Created>;
  /** Prefix of the query keys to invalidate. */
  readonly invalidates: QueryKey;
  readonly onRotated: (created: Created) => void;
}

/** Opens a dialog that rotates a credential, and asks how long the previous credential works. */
export function openRotationDialog<Created>(rotation: Rotation<Created>): void {
  const dialogId = dialogs.open({
    title: rotation.title,
    children: <RotationForm {...rotation} onClose={() => dialogs.close(dialogId)} />,
  });
}

function RotationForm<Created>({
  consequences,
  overlapLabel,
  submitLabel,
  rotate,
  invalidates,
  onRotated,
  onClose,
}: Rotation<Created> & { onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_SECONDS));
  const rotation = useApiMutation({
    mutationFn: () => rotate(Number(overlap)),
    invalidates: [invalidates],
    onSuccess: (created) => {
      onClose();
      onRotated(created);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotation.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{consequences}</Text>
        <Radio.Group label={overlapLabel} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(([seconds, label]) => (
              <Radio key={seconds} value={String(seconds)} label={t(label)} />
            ))}
          </Stack>
        </Radio.Group>
        {rotation.error && <ErrorNotice error={rotation.error} />}
        <DialogButtons submitLabel={submitLabel} isPending={rotation.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
