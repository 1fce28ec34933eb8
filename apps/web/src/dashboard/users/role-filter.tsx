import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { useHasPermission } from '../permissions';
import { rolesQuery } from './user-queries';

interface Props {
  readonly org: string;
  readonly value: string | undefined;
  readonly onChange: (roleId: string | undefined) => void;
}

/** Filters a list by role; hidden from callers who can't read roles. */
export function RoleFilter({ org, value, onChange }: Props) {
  const canReadRoles = useHasPermission('roles:read');
  const { data: roles = [] } = useQuery({ ...rolesQuery(org), enabled: canReadRoles });
  if (!canReadRoles) return null;
  return (
    <Select
      label={t('users.filters.role')}
      placeholder={t('users.filters.anyRole')}
      data={roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
      value={value ?? null}
      onChange={(role) => onChange(role ?? undefined)}
      clearable
      searchable
      w={170}
    />
  );
}
