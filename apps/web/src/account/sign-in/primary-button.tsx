import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler } from 'react';
import { useBrand } from './sign-in-layout';

interface Props extends ButtonProps {
  readonly type?: 'submit' | 'button';
  readonly autoFocus?: boolean;
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
}

/** The primary button of a page, in the brand color. */
export function PrimaryButton({ type = 'submit', ...props }: Props) {
  const brand = useBrand();
  const style = {
    '--button-bg': brand.fill,
    '--button-hover': brand.fillHover,
    '--button-color': brand.onFill,
    '--button-bd': `1px solid ${brand.edge}`,
  };
  return <Button type={type} fullWidth size="md" style={style} {...props} />;
}
