import { Alert, Anchor, Text } from '@mantine/core';
import { AlertIcon, InfoIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly explained?: string;
  readonly isUrgent?: boolean;
  readonly children?: ReactNode;
}

/** A problem of the organization, with what it means and where to solve it. */
export function Hint({ title, explained, isUrgent, children }: Props) {
  const Icon = isUrgent ? AlertIcon : InfoIcon;
  return (
    <Alert color={isUrgent ? 'orange' : 'indigo'} icon={<Icon size={20} />} title={title}>
      {explained && <Text size="sm">{explained}</Text>}
      {children}
    </Alert>
  );
}

export const HintLink = ({ to, label }: { to: string; label: string }) => (
  <Anchor component={Link} to={to} size="sm" fw={600} underline="always" c="inherit">
    {label}
  </Anchor>
);
