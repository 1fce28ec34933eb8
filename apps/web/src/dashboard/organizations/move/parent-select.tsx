import { Loader, Select, type SelectProps, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { organizationQuery } from '../../organization';
import { parentCandidatesQuery } from './parent-candidates';

const DEBOUNCE_MS = 250;

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Id or slug of the chosen parent. */
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

/** Selects the new parent of an organization by name or slug. */
export function ParentSelect({ organization, value, onChange }: Props) {
  const { data: chosen } = useQuery({ ...organizationQuery(value ?? ''), enabled: value !== undefined });
  const [typed, setTyped] = useState('');
  // Mantine also reports the name of the chosen organization as search text.
  const [search] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), DEBOUNCE_MS);
  const { data: candidates = [], error, isFetching } = useQuery(parentCandidatesQuery(organization, search));
  const pathById = new Map(candidates.map(({ id, path }) => [id, path]));
  const options = candidates.map(({ id, name }) => ({ value: id, label: name }));
  if (chosen && !pathById.has(chosen.id)) options.unshift({ value: chosen.id, label: chosen.name });
  const renderOption: SelectProps['renderOption'] = ({ option }) => (
    <Stack gap={0}>
      <Text size="sm" className="breakable">
        {option.label}
      </Text>
      <Text size="xs" c="dimmed" className="breakable">
        {pathById.get(option.value)}
      </Text>
    </Stack>
  );
  return (
    <Select
      label={t('organization.move.parent')}
      description={t('organization.move.parentHelp')}
      placeholder={t('organizations.searchPlaceholder')}
      data={options}
      value={chosen?.id ?? null}
      onChange={(id) => id && onChange(id)}
      searchable
      onSearchChange={setTyped}
      // The API has already filtered the options.
      filter={({ options: all }) => all}
      renderOption={renderOption}
      allowDeselect={false}
      nothingFoundMessage={isFetching ? t('common.loading') : t('organization.move.noParentFound')}
      rightSection={isFetching ? <Loader size={16} /> : undefined}
      error={error?.message}
      maxDropdownHeight={320}
      maw={480}
    />
  );
}
