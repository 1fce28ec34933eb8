import { CloseButton, Tabs, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { FlowchartIcon, SearchIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { CreateOrganization } from './create-organization';
import { DeletedOrganizations } from './deleted-organizations';
import type { OrganizationsSearch } from './organizations-search';
import { SearchResults } from './search-results';
import { OrganizationTree } from './tree/organization-tree';

const DEBOUNCE_MS = 250;

/** Lists the organizations that the caller can see: as a tree, as search results, or as a list of deleted organizations. */
export function OrganizationsPage() {
  const { tab = 'tree' } = useSearch({ from: '/dashboard/' });
  const go = useSearchChange();
  const { data: session } = useQuery(sessionQuery);
  const isOperator = session?.kind === 'operator';
  return (
    <>
      <PageHeader
        title={t('organizations.title')}
        description={t('organizations.description')}
        actions={isOperator && <CreateOrganization />}
      />
      <Tabs value={tab} onChange={(value) => go({ tab: value === 'deleted' ? 'deleted' : undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="tree" leftSection={<FlowchartIcon size={16} />}>
            {t('organizations.tabs.tree')}
          </Tabs.Tab>
          <Tabs.Tab value="deleted" leftSection={<TrashIcon size={16} />}>
            {t('organizations.tabs.deleted')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tree">
          <TreeOrResults isOperator={isOperator} />
        </Tabs.Panel>
        <Tabs.Panel value="deleted">
          <DeletedOrganizations />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function TreeOrResults({ isOperator }: { isOperator: boolean }) {
  const { search = '', page = 1 } = useSearch({ from: '/dashboard/' });
  const go = useSearchChange();
  return (
    <>
      <SearchField initial={search} onSearch={(typed) => go({ search: typed || undefined })} />
      {search === '' ? (
        <OrganizationTree
          empty={
            <EmptyState
              icon={FlowchartIcon}
              title={isOperator ? t('organizations.emptyTitle') : t('shell.noOrganization')}
              action={isOperator && <CreateOrganization />}
            >
              {isOperator ? t('organizations.empty') : t('shell.noOrganizationAdvice')}
            </EmptyState>
          }
        />
      ) : (
        <SearchResults search={search} page={page} onPage={(next) => go({ search, page: next })} />
      )}
    </>
  );
}

function SearchField({ initial, onSearch }: { initial: string; onSearch: (typed: string) => void }) {
  const [typed, setTyped] = useState(initial);
  const search = useDebouncedCallback(onSearch, DEBOUNCE_MS);
  const change = (value: string) => {
    setTyped(value);
    search(value.trim());
  };
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={t('organizations.search')}
      placeholder={t('organizations.searchPlaceholder')}
      leftSection={<SearchIcon size={16} />}
      rightSection={typed && <CloseButton size="sm" onClick={() => change('')} aria-label={t('common.clearFilters')} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      maxLength={100}
      maw={420}
      mb="md"
    />
  );
}

/** Changes the query of the page. Typing replaces the current entry of the browser history. */
function useSearchChange(): (search: OrganizationsSearch) => void {
  const navigate = useNavigate();
  return (search) => void navigate({ to: '/dashboard', search, replace: search.page === undefined });
}
