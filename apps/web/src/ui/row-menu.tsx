import { ActionIcon, Menu } from '@mantine/core';
import { KebabHorizontalIcon } from '@primer/octicons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  /** The accessible name of the button. */
  readonly label: string;
  /** The items. */
  readonly children: ReactNode;
}

/** The menu of a row of a list. Created on the first click, because lists have many rows. */
export function RowMenu({ label, children }: Props) {
  const [isCreated, setCreated] = useState(false);
  if (isCreated) return <CreatedMenu label={label}>{children}</CreatedMenu>;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setCreated(true)}
    >
      <KebabHorizontalIcon size={16} />
    </ActionIcon>
  );
}

function CreatedMenu({ label, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The focus returns to the button that has it when the menu opens.
  useEffect(() => {
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon ref={button} variant="default" size="lg" aria-label={label}>
          <KebabHorizontalIcon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
