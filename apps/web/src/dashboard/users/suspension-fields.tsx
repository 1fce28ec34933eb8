import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../texts';

export interface Suspension {
  readonly reason: string;
  readonly revokeActiveSessions: boolean;
}

/** Asks for the reason of a suspension and whether to revoke the sessions. */
interface Props {
  readonly onChange: (suspension: Suspension) => void;
  /** The effect of the suspension. */
  readonly text?: string;
}

export function SuspensionFields({ onChange, text = t('users.lifecycle.suspendText') }: Props) {
  const [suspension, setSuspension] = useState<Suspension>({ reason: '', revokeActiveSessions: false });
  const change = (changes: Partial<Suspension>) => {
    const next = { ...suspension, ...changes };
    setSuspension(next);
    onChange(next);
  };
  return (
    <Stack>
      <Text size="sm">{text}</Text>
      <Textarea
        label={t('users.lifecycle.suspendReason')}
        description={t('users.lifecycle.suspendReasonHint')}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        value={suspension.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <Checkbox
        label={t('users.lifecycle.endSessions')}
        description={t('users.lifecycle.endSessionsHint')}
        checked={suspension.revokeActiveSessions}
        onChange={(event) => change({ revokeActiveSessions: event.currentTarget.checked })}
      />
    </Stack>
  );
}
