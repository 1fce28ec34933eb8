import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../../texts';

const words = texts.users.lifecycle;

/** How a user is suspended. */
export interface Suspension {
  readonly reason: string;
  readonly revokeActiveSessions: boolean;
}

/** What a suspension means, why it is done, and whether sessions end with it. */
export function SuspensionFields({ onChange }: { onChange: (suspension: Suspension) => void }) {
  const [suspension, setSuspension] = useState<Suspension>({ reason: '', revokeActiveSessions: false });
  const change = (changes: Partial<Suspension>) => {
    const next = { ...suspension, ...changes };
    setSuspension(next);
    onChange(next);
  };
  return (
    <Stack>
      <Text size="sm">{words.suspendText}</Text>
      <Textarea
        label={words.suspendReason}
        description={words.suspendReasonHint}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        value={suspension.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <Checkbox
        label={words.endSessions}
        description={words.endSessionsHint}
        checked={suspension.revokeActiveSessions}
        onChange={(event) => change({ revokeActiveSessions: event.currentTarget.checked })}
      />
    </Stack>
  );
}
