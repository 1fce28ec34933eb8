import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { organizationQuery } from '../organization';

const DEBOUNCE_MS = 250;

export function OrganizationSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data: current } = useQuery(organizationQuery(value));
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed === current?.name ? '' : typed, DEBOUNCE_MS);
  const { data } = useQuery({
    queryKey: ['organizations', 'choice', search],
    queryFn: () => unwrap(api.GET('/v1/organizations', { params: { query: { search: search === '' ? undefined : search } } })),
    placeholderData: keepPreviousData,
  });
  const matches = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const options =
    current && matches.every(({ value: id }) => id !== current.id)
      ? [{ value: current.id, label: current.name }, ...matches]
      : matches;
  return (
    <Select
      label={t('members.adding.searchIn')}
      description={t('members.adding.searchInHint')}
      data={options}
      value={current?.id ?? null}
      onChange={(id) => id && onChange(id)}
      searchable
      onSearchChange={setTyped}
      // The API has already filtered the options.
      filter={({ options: all }) => all}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage={t('members.adding.noResults')}
    />
  );
}
