import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../texts';
import { groupsQuery } from '../../groups/group-queries';
import { RoleSelect } from '../role-select';
import { rolesQuery } from '../user-queries';

const DEBOUNCE_MS = 250;

export function RoleField({ org, onChange }: { org: string; onChange: (changes: { roleId?: string }) => void }) {
  const { data: roles = [] } = useQuery(rolesQuery(org));
  const [roleId, setRoleId] = useState<string | null>(null);
  return (
    <RoleSelect
      label={t('users.bulk.role')}
      roles={roles}
      value={roleId}
      onChange={(id) => {
        setRoleId(id);
        onChange({ roleId: id ?? undefined });
      }}
    />
  );
}

export function GroupField({ org, onChange }: { org: string; onChange: (changes: { groupId?: string }) => void }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const isSearch = search !== '' && search !== chosen?.label;
  const query = useQuery({ ...groupsQuery(org, isSearch ? { search } : {}), placeholderData: keepPreviousData });
  const found = (query.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const options = chosen && found.every(({ value }) => value !== chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={t('users.bulk.group')}
      data={options}
      value={chosen?.value ?? null}
      onChange={(_, option) => {
        setChosen(option);
        onChange({ groupId: option?.value });
      }}
      searchable
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage={t('users.bulk.noGroups')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
