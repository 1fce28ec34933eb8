import { PersonIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { useSelection } from '../../ui/use-selection';
import { organizationQuery, useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { AccessReportMenu } from './access-report-menu';
import { AddPeople } from './add-people';
import { BulkBar, useHasBulkActions } from './bulk/bulk-bar';
import { EmptyUserList } from './empty-user-list';
import { ExportMenu } from './export-menu';
import { type ListedUser, nameOf, usersQuery } from './user-queries';
import { usersColumns } from './users-columns';
import { UsersFilters } from './users-filters';
import { usePaging } from '../../ui/paging';
import { isFiltered, USER_SORTS, type UsersSearch } from './users-search';

const ROUTE = '/dashboard/organizations/$org/users';
const DEFAULT_SORT = '-createdAt';

const sortOf = (value: string): UsersSearch['sort'] =>
  value === DEFAULT_SORT ? undefined : USER_SORTS.find((each) => each === value);
const idOf = ({ id }: ListedUser): string => id;

/** All users of an organization, with actions on several of them. */
export function UsersList() {
  const org = useOrganizationId();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const canSelect = useHasBulkActions(org);
  const canChangeMembers = useHasPermission('members:write');
  const { data: organization } = useQuery(organizationQuery(org));
  const query = useQuery({ ...usersQuery(org, search), placeholderData: keepPreviousData });
  const { page: _page, limit: _limit, sort = DEFAULT_SORT, ...filter } = search;
  const selection = useSelection(idOf, JSON.stringify([org, filter]));
  const withOrganization = search.descendants === true;
  const columns = useMemo(
    () => usersColumns(org, { withOrganization, canChangeMembers }),
    [org, withOrganization, canChangeMembers],
  );
  const change = (changes: UsersSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace });
  return (
    <>
      <PageHeader
        title={t('users.title')}
        description={t('users.description')}
        actions={
          <>
            <AccessReportMenu org={org} />
            <ExportMenu org={org} search={search} />
            <AddPeople org={org} />
          </>
        }
      />
      <UsersFilters
        org={org}
        search={search}
        onChange={change}
        isLoading={query.isFetching}
        hasChildren={withOrganization || (organization?.children.length ?? 0) > 0}
      />
      <BulkBar org={org} selection={selection} />
      <DataTable
        label={t('users.title')}
        columns={columns}
        rowId={idOf}
        query={query}
        selection={canSelect ? { ...selection, rowName: nameOf } : undefined}
        sort={{ value: sort, onSort: (value) => change({ sort: sortOf(value) }) }}
        {...usePaging()}
        empty={
          <EmptyUserList
            icon={PersonIcon}
            texts="users"
            isFiltered={isFiltered(search)}
            onClear={() => void navigate({ search: {} })}
            action={<AddPeople org={org} />}
          />
        }
      />
    </>
  );
}
