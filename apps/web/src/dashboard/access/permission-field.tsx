import { Autocomplete } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../../texts';
import { CHECKABLE_PERMISSION, permissionGrid, resourceName, resourceOf } from './permission-patterns';
import { useAllPermissions } from './role-queries';

const DEBOUNCE_MS = 250;

interface Props {
  readonly org: string;
  readonly value: string | undefined;
  readonly onChange: (permission: string | undefined) => void;
}

/** Selects a permission from a list, or accepts one that no role has yet. */
export function PermissionField({ org, value = '', onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  // A click elsewhere on the page or the Back button can change the value.
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  const permissions = useAllPermissions(org) ?? [];
  const changeDebounced = useDebouncedCallback((text: string) => {
    if (text === '' || CHECKABLE_PERMISSION.test(text)) onChange(text || undefined);
  }, DEBOUNCE_MS);
  const groups = permissionGrid(permissions).resources.map((resource) => ({
    group: resourceName(resource),
    items: permissions.filter(({ name }) => resourceOf(name) === resource).map(({ name }) => name),
  }));
  const text = typed.trim();
  // The suggestions would cover the answer.
  const isChosen = permissions.some(({ name }) => name === text);
  return (
    <Autocomplete
      label={t('permissionChecks.permission')}
      placeholder={t('permissionChecks.permissionPlaceholder')}
      data={isChosen ? [] : groups}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        changeDebounced(next.trim());
      }}
      error={
        text.includes(':') && !text.endsWith(':') && !CHECKABLE_PERMISSION.test(text)
          ? t('permissionChecks.permissionInvalid')
          : undefined
      }
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      clearable
      clearButtonProps={{ 'aria-label': t('common.remove') }}
    />
  );
}
