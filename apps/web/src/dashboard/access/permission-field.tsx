import { Autocomplete } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findText, t } from '../../texts';
import { permissionGrid, resourceOf } from './permission-patterns';
import { servicePermissionsQuery } from './role-queries';

const DEBOUNCE_MS = 250;

/** A permission that the API can check. Patterns are not allowed. */
export const CHECKABLE_PERMISSION = /^[a-z][a-z0-9_.-]*:[a-z][a-z0-9_.-]*$/;

interface Props {
  readonly value: string | undefined;
  readonly onChange: (permission: string | undefined) => void;
}

/** Selects a permission of the service from a list, or accepts a custom permission. */
export function PermissionField({ value = '', onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  // A click elsewhere on the page or the Back button can change the value.
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  const { data: servicePermissions = [] } = useQuery(servicePermissionsQuery);
  const changeDebounced = useDebouncedCallback((text: string) => {
    if (text === '' || CHECKABLE_PERMISSION.test(text)) onChange(text || undefined);
  }, DEBOUNCE_MS);
  const groups = permissionGrid(servicePermissions).resources.map((resource) => ({
    group: findText(`permissionMatrix.resources.${resource}`) ?? resource,
    items: servicePermissions.filter(({ name }) => resourceOf(name) === resource).map(({ name }) => name),
  }));
  const text = typed.trim();
  return (
    <Autocomplete
      label={t('permissionChecks.permission')}
      placeholder={t('permissionChecks.permissionPlaceholder')}
      data={groups}
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
