import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props extends ButtonProps {
  /** The reason why the button is disabled. Undefined enables the button. */
  readonly disabledReason?: string;
  readonly children: string;
  readonly leftSection?: ReactNode;
  /** The target of a link. */
  readonly to?: string;
  readonly onClick?: () => void;
  readonly type?: 'button' | 'submit';
}

/** A button that stays focusable while disabled and shows the reason. */
export function ActionButton({ disabledReason, to, onClick, type = 'button', children, ...styleProps }: Props) {
  if (disabledReason !== undefined) {
    return (
      <Tooltip
        label={disabledReason}
        multiline
        maw={300}
        withinPortal={false}
        floatingStrategy="fixed"
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button {...styleProps} data-disabled aria-disabled aria-label={`${children}. ${disabledReason}`}>
          {children}
        </Button>
      </Tooltip>
    );
  }
  if (to !== undefined) {
    return (
      <Button {...styleProps} component={Link} to={to}>
        {children}
      </Button>
    );
  }
  return (
    <Button {...styleProps} type={type} onClick={onClick}>
      {children}
    </Button>
  );
}
