import { Button, Group, Select, TextInput } from '@mantine/core';
import { texts } from '../../texts';
import { DebouncedSearch } from './debounced-search';
import { RoleFilter } from './role-filter';
import { isFiltered, USER_SORTS, USER_STATUSES, type UsersSearch } from './users-search';

const words = texts.users.filters;

interface Props {
  readonly org: string;
  readonly search: UsersSearch;
  /** `replace`: without an entry in the browser's history. */
  readonly onChange: (changes: UsersSearch, replace?: boolean) => void;
  readonly isLoading: boolean;
}

/** Which users the list shows, and in which order. */
export function UsersFilters({ org, search, onChange, isLoading }: Props) {
  return (
    <Group align="flex-end" gap="sm" mb="md" role="search">
      <DebouncedSearch
        label={words.search}
        value={search.search}
        onChange={(text) => onChange({ search: text }, true)}
        isLoading={isLoading}
      />
      <Select
        label={words.status}
        placeholder={words.anyStatus}
        data={USER_STATUSES.map((value) => ({ value, label: texts.users.statuses[value] }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        w={150}
      />
      <RoleFilter org={org} value={search.role} onChange={(role) => onChange({ role })} />
      <DayFilter label={words.createdFrom} value={search.createdFrom} onChange={(createdFrom) => onChange({ createdFrom })} />
      <DayFilter label={words.createdTo} value={search.createdTo} onChange={(createdTo) => onChange({ createdTo })} />
      <Select
        label={words.sort}
        data={USER_SORTS.map((value) => ({ value, label: texts.users.sorts[value] }))}
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
          {texts.common.clearFilters}
        </Button>
      )}
    </Group>
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
