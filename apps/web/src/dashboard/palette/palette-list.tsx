import { Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type PaletteItem, sectionsOf } from './palette-items';
import classes from './palette.module.css';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly items: readonly PaletteItem[];
  readonly activeKey: string | undefined;
  readonly onActive: (key: string) => void;
  readonly onRun: (item: PaletteItem) => void;
}

export const optionId = (listId: string, key: string): string => `${listId}-${key.replaceAll(' ', '-')}`;

/** The items by section. The focus stays in the text field, which names the active item (ARIA: combobox with a list box). */
export function PaletteList({ id, label, items, activeKey, onActive, onRun }: Props) {
  const active = useRef<HTMLDivElement>(null);
  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  }, [activeKey]);
  return (
    <div id={id} role="listbox" aria-label={label} className={classes['list']}>
      {sectionsOf(items).map(([section, ofSection]) => (
        <div key={section} role="group" aria-label={section}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4} aria-hidden>
            {section}
          </Text>
          {ofSection.map((item) => (
            <div
              key={item.key}
              ref={item.key === activeKey ? active : undefined}
              id={optionId(id, item.key)}
              role="option"
              tabIndex={-1}
              aria-selected={item.key === activeKey}
              className={classes['option']}
              onPointerMove={() => onActive(item.key)}
              onClick={() => onRun(item)}
              // The text field handles the keys.
              onKeyDown={undefined}
            >
              <Option item={item} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const Option = ({ item: { label, detail, icon: Icon } }: { item: PaletteItem }) => (
  <Group gap="sm" wrap="nowrap">
    <Icon size={16} />
    <Stack gap={0} miw={0}>
      <Text size="sm" className="breakable">
        {label}
      </Text>
      {detail && (
        <Text size="xs" c="dimmed" className="breakable">
          {detail}
        </Text>
      )}
    </Stack>
  </Group>
);
