import { Loader, Select } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { type KeyUnder, t } from '../../texts';
import { DebouncedInput } from '../../ui/debounced-input';
import { FilterBar } from '../../ui/filter-bar';
import { RoleFilter } from './role-filter';

interface DirectorySearch<Status> {
  readonly search?: string;
  readonly status?: Status;
  readonly role?: string;
}

interface Props<Status> {
  readonly org: string;
  readonly search: DirectorySearch<Status>;
  readonly statuses: readonly Status[];
  /** `replace` replaces the current entry of the browser history. */
  readonly onChange: (changes: DirectorySearch<Status>, replace?: boolean) => void;
  readonly isLoading: boolean;
  /** The number of further filters that are set. */
  readonly furtherCount?: number;
  /** Further filters. */
  readonly children?: ReactNode;
}

export function DirectoryFilters<Status extends KeyUnder<'users.statuses'>>({
  org,
  search,
  statuses,
  onChange,
  isLoading,
  furtherCount = 0,
  children,
}: Props<Status>) {
  return (
    <FilterBar
      count={[search.status, search.role].filter((value) => value !== undefined).length + furtherCount}
      search={
        <DebouncedInput
          type="search"
          label={t('users.filters.search')}
          value={search.search}
          onChange={(text) => onChange({ search: text }, true)}
          leftSection={<SearchIcon size={16} />}
          rightSection={isLoading ? <Loader size="xs" aria-hidden /> : undefined}
          style={{ flex: '1 1 240px' }}
        />
      }
    >
      <Select
        label={t('users.filters.status')}
        placeholder={t('users.filters.anyStatus')}
        data={statuses.map((value) => ({ value, label: t(`users.statuses.${value}`) }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        w={150}
      />
      <RoleFilter org={org} value={search.role} onChange={(role) => onChange({ role })} />
      {children}
    </FilterBar>
  );
}
