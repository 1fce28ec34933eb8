import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props extends ButtonProps {
  /** Why it can't be used by this person now; without one it can. */
  readonly reason?: string;
  readonly children: string;
  readonly leftSection?: ReactNode;
  /** Where it leads, if it leads somewhere. */
  readonly to?: string;
  readonly onClick?: () => void;
  readonly type?: 'button' | 'submit';
}

/** A button that, while it can't be used, stays in reach of the keyboard and says why. */
export function ReasonedButton({ reason, to, onClick, type = 'button', children, ...look }: Props) {
  if (reason !== undefined) {
    return (
      <Tooltip
        label={reason}
        multiline
        maw={300}
        withinPortal={false}
        floatingStrategy="fixed"
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button {...look} data-disabled aria-disabled aria-label={`${children}. ${reason}`}>
          {children}
        </Button>
      </Tooltip>
    );
  }
  if (to !== undefined) {
    return (
      <Button {...look} component={Link} to={to}>
        {children}
      </Button>
    );
  }
  return (
    <Button {...look} type={type} onClick={onClick}>
      {children}
    </Button>
  );
}
