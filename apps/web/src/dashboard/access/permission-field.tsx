import { Autocomplete } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { matchesSearch } from '../../app/search';
import { t } from '../../texts';
import { PERMISSION_OR_PATTERN, permissionGrid, resourceName, resourceOf } from './permission-patterns';
import { useAllPermissions } from './role-queries';

const DEBOUNCE_MS = 250;

interface Props {
  readonly org: string;
  readonly value: string | undefined;
  readonly onChange: (permission: string | undefined) => void;
}

/**
 * Selects a permission from a list, or accepts one that no role has yet. While suggestions are open, no permission is selected, because
 * they would cover its answer: Enter or leaving the field selects what is typed.
 */
export function PermissionField({ org, value = '', onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  const [sent, setSent] = useState(value);
  // A click elsewhere on the page or the Back button can change the value.
  if (value !== last) {
    setLast(value);
    setSent(value);
    if (value !== sent) setTyped(value);
  }
  const names = useAllPermissions(org)?.map(({ name }) => name) ?? [];
  const text = typed.trim();
  const select = useDebouncedCallback((selected: string) => {
    setSent(selected);
    if (selected !== value) onChange(selected || undefined);
  }, DEBOUNCE_MS);
  const selectTyped = () => {
    if (PERMISSION_OR_PATTERN.test(text)) select(text);
    select.flush();
  };
  const change = (next: string) => {
    setTyped(next);
    const nextText = next.trim();
    const isComplete = PERMISSION_OR_PATTERN.test(nextText) && !hasSuggestions(names, nextText);
    select(isComplete ? nextText : '');
    if (!isComplete) select.flush();
  };
  const isInvalid = text.includes(':') && !text.endsWith(':') && !PERMISSION_OR_PATTERN.test(text);
  return (
    <Autocomplete
      label={t('permissionChecks.permission')}
      placeholder={t('permissionChecks.permissionPlaceholder')}
      data={text === value && text !== '' ? [] : groupsOf(names)}
      value={typed}
      onChange={change}
      onBlur={selectTyped}
      // With an active suggestion, Enter selects the suggestion.
      onKeyDown={({ key, currentTarget }) =>
        key === 'Enter' && !currentTarget.hasAttribute('aria-activedescendant') && selectTyped()
      }
      error={isInvalid ? t('permissionChecks.permissionInvalid') : undefined}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
    />
  );
}

/** Returns whether suggestions other than the text itself match it. A text that is a suggestion needs no others. */
const hasSuggestions = (names: readonly string[], text: string): boolean =>
  !names.includes(text) && names.some((name) => matchesSearch([name], text));

const groupsOf = (names: readonly string[]) =>
  permissionGrid(names.map((name) => ({ name }))).resources.map((resource) => ({
    group: resourceName(resource),
    items: names.filter((name) => resourceOf(name) === resource),
  }));
