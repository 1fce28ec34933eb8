import { Button, Select, TextInput } from '@mantine/core';
import { t } from '../../texts';
import { DirectoryFilters } from './directory-filters';
import { isFiltered, USER_SORTS, USER_STATUSES, type UsersSearch } from './users-search';

interface Props {
  readonly org: string;
  readonly search: UsersSearch;
  /** `replace` replaces the current entry of the browser history. */
  readonly onChange: (changes: UsersSearch, replace?: boolean) => void;
  readonly isLoading: boolean;
}

export function UsersFilters({ org, search, onChange, isLoading }: Props) {
  return (
    <DirectoryFilters org={org} search={search} statuses={USER_STATUSES} onChange={onChange} isLoading={isLoading}>
      <DayFilter
        label={t('users.filters.createdFrom')}
        value={search.createdFrom}
        onChange={(createdFrom) => onChange({ createdFrom })}
      />
      <DayFilter
        label={t('users.filters.createdTo')}
        value={search.createdTo}
        onChange={(createdTo) => onChange({ createdTo })}
      />
      <Select
        label={t('users.filters.sort')}
        data={USER_SORTS.map((value) => ({ value, label: t(`users.sorts.${value}`) }))}
        value={search.sort ?? '-createdAt'}
        onChange={(sort) => onChange({ sort: sort === null || sort === '-createdAt' ? undefined : sort })}
        allowDeselect={false}
        w={190}
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({ search: undefined, status: undefined, role: undefined, createdFrom: undefined, createdTo: undefined })
          }
        >
          {t('common.clearFilters')}
        </Button>
      )}
    </DirectoryFilters>
  );
}

function DayFilter({ label, value, onChange }: { label: string; value?: string; onChange: (day: string | undefined) => void }) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      w={150}
    />
  );
}
