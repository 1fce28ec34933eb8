import { Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { matchingItems, type PaletteItem } from './palette-items';
import { optionId, PaletteList } from './palette-list';
import classes from './palette.module.css';
import { useCommands } from './use-commands';
import { useFoundItems } from './use-found-items';

const TEXT_MAX = 254;

/** Searches everything that the user can access, opens pages and runs commands, without a mouse. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh" closeOnClickOutside>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <PaletteForm onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteForm({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [chosenKey, setActiveKey] = useState<string>();
  const commands = matchingItems(useCommands(), typed);
  const found = useFoundItems(typed);
  const items = [...commands, ...found.items];
  const active = items.find(({ key }) => key === chosenKey) ?? items[0];
  const run = (item: PaletteItem) => (onClose(), void item.run());
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and the arrows belong to the input method while it composes a character.
    if (event.nativeEvent.isComposing) return;
    const move = STEPS[event.key];
    if (move) setActiveKey(move(items, active)?.key);
    else if (event.key === 'Enter' && active) run(active);
    else return;
    event.preventDefault();
  };
  const isEmpty = items.length === 0 && !found.isSearching && !found.error;
  return (
    <>
      <TextInput
        autoFocus
        data-autofocus
        role="combobox"
        aria-label={t('palette.placeholder')}
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(listId, active.key)}
        placeholder={t('palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        size="md"
        variant="unstyled"
        maxLength={TEXT_MAX}
        className={classes['field']}
        leftSection={<SearchIcon size={18} />}
        rightSection={found.isSearching ? <Loader size={16} /> : null}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setActiveKey(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">{found.isSearching ? '' : t('palette.count', { count: items.length })}</VisuallyHidden>
      {found.error && <ErrorNotice error={found.error} />}
      <PaletteList
        id={listId}
        label={t('palette.results')}
        items={items}
        activeKey={active?.key}
        onActive={setActiveKey}
        onRun={run}
      />
      {isEmpty && <NothingFound text={typed.trim()} />}
    </>
  );
}

const NothingFound = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed" p="md" pt={0}>
    {t('palette.nothing', { text })}
  </Text>
);

type Step = (items: readonly PaletteItem[], active: PaletteItem | undefined) => PaletteItem | undefined;

const stepBy =
  (step: number): Step =>
  (items, active) =>
    items.at((items.findIndex((item) => item === active) + step) % items.length);

/** What the keys of the list box do (ARIA Authoring Practices: combobox). Home and End move the cursor in the text. */
const STEPS: Readonly<Record<string, Step>> = { ArrowDown: stepBy(1), ArrowUp: stepBy(-1) };
