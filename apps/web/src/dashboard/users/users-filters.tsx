import { Button, Select, Switch, TextInput } from '@mantine/core';
import { t } from '../../texts';
import { DirectoryFilters } from './directory-filters';
import { isFiltered, MANAGED_BY, USER_STATUSES, type UsersSearch } from './users-search';

interface Props {
  readonly org: string;
  readonly search: UsersSearch;
  /** `replace` replaces the current entry of the browser history. */
  readonly onChange: (changes: UsersSearch, replace?: boolean) => void;
  readonly isLoading: boolean;
  readonly hasChildren: boolean;
}

/** The filters that members don't have. */
const FURTHER = ['managed', 'createdFrom', 'createdTo', 'descendants'] as const;

export function UsersFilters({ org, search, onChange, isLoading, hasChildren }: Props) {
  return (
    <DirectoryFilters
      org={org}
      search={search}
      statuses={USER_STATUSES}
      onChange={onChange}
      isLoading={isLoading}
      furtherCount={FURTHER.filter((name) => search[name] !== undefined).length}
    >
      <Select
        label={t('users.filters.managed')}
        placeholder={t('users.filters.anyManaged')}
        data={MANAGED_BY.map((value) => ({ value, label: t(`users.managedBy.${value}`) }))}
        value={search.managed ?? null}
        onChange={(managed) => onChange({ managed: managed ?? undefined })}
        clearable
        w={190}
      />
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
      {isFiltered(search) && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({
              managed: undefined,
              search: undefined,
              status: undefined,
              role: undefined,
              createdFrom: undefined,
              createdTo: undefined,
            })
          }
        >
          {t('common.clearFilters')}
        </Button>
      )}
      {hasChildren && (
        <Switch
          label={t('users.filters.descendants')}
          checked={search.descendants ?? false}
          onChange={(event) => onChange({ descendants: event.currentTarget.checked || undefined })}
          mb={8}
          w="100%"
        />
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
