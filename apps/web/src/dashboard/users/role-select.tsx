import { Select, Stack, Text } from '@mantine/core';
import { roleName } from '../../api/role-name';
import type { Role } from './user-queries';

interface Props {
  readonly label: string;
  readonly roles: readonly Role[];
  readonly value: string | null;
  readonly onChange: (roleId: string | null) => void;
  readonly emptyText?: string;
  readonly placeholder?: string;
}

export function RoleSelect({ label, roles, value, onChange, emptyText, placeholder }: Props) {
  const descriptions = new Map(roles.map(({ id, description }) => [id, description]));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
      value={value}
      onChange={onChange}
      searchable
      clearable={placeholder !== undefined}
      nothingFoundMessage={emptyText}
      comboboxProps={{ withinPortal: false }}
      description={value ? descriptions.get(value) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {descriptions.get(option.value)}
          </Text>
        </Stack>
      )}
    />
  );
}
