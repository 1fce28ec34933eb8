import { Badge, type MantineColor } from '@mantine/core';

const COLORS: Readonly<Record<string, MantineColor>> = {
  active: 'green',
  enabled: 'green',
  delivered: 'green',
  succeeded: 'green',
  approved: 'green',
  verified: 'green',
  preview: 'blue',
  applying: 'blue',
  pending: 'yellow',
  retrying: 'yellow',
  rolling_back: 'yellow',
  paused: 'yellow',
  untested: 'yellow',
  suspended: 'orange',
  skipped: 'gray',
  disabled: 'gray',
  expired: 'gray',
  ended: 'gray',
  failed: 'red',
  stopped: 'red',
  deleted: 'red',
  denied: 'red',
  revoked: 'red',
};

/** Shows a status as a label with a dot in its color. */
export function StatusBadge({ status, label }: { status: string; label: string }) {
  return (
    <Badge color={COLORS[status] ?? 'gray'} variant="dot" tt="none" fw={500} miw="max-content">
      {label}
    </Badge>
  );
}
