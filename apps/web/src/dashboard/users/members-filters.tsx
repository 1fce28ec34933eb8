import { Group, Select } from '@mantine/core';
import { texts } from '../../texts';
import { DebouncedSearch } from './debounced-search';
import { MEMBER_STATUSES, type MembersSearch } from './members-search';
import { RoleFilter } from './role-filter';

const words = texts.users.filters;

interface Props {
  readonly org: string;
  readonly search: MembersSearch;
  readonly onChange: (changes: MembersSearch, replace?: boolean) => void;
  readonly isLoading: boolean;
}

/** Which members the list shows. */
export function MembersFilters({ org, search, onChange, isLoading }: Props) {
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
        data={MEMBER_STATUSES.map((value) => ({ value, label: texts.users.statuses[value] }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        w={150}
      />
      <RoleFilter org={org} value={search.role} onChange={(role) => onChange({ role })} />
    </Group>
  );
}
