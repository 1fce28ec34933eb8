import { Button } from '@mantine/core';
import { PersonAddIcon, PersonIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { openCreateUserDialog } from './create-user-form';
import { ExportMenu } from './export-menu';
import { EmptyUserList } from './empty-user-list';
import { usersQuery } from './user-queries';
import { usersColumns } from './users-columns';
import { UsersFilters } from './users-filters';
import { isFiltered, type UsersSearch } from './users-search';

const ROUTE = '/dashboard/organizations/$org/users';

export function UsersPage() {
  const org = useOrganizationId();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const canWrite = useHasPermission('users:write');
  const query = useQuery({ ...usersQuery(org, search), placeholderData: keepPreviousData });
  const columns = useMemo(() => usersColumns(org), [org]);
  const change = (changes: UsersSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace });
  const create = () =>
    openCreateUserDialog({ org, onCreated: (userId) => void navigate({ to: `${ROUTE}/$userId`, params: { org, userId } }) });
  return (
    <>
      <PageHeader
        title={t('users.title')}
        description={t('users.description')}
        actions={
          <>
            <ExportMenu org={org} search={search} />
            {canWrite && (
              <Button variant="default" component={Link} to={`/dashboard/organizations/${org}/users/import`}>
                {t('users.import')}
              </Button>
            )}
            {canWrite && (
              <Button leftSection={<PersonAddIcon size={18} />} onClick={create}>
                {t('users.create')}
              </Button>
            )}
          </>
        }
      />
      <UsersFilters org={org} search={search} onChange={change} isLoading={query.isFetching} />
      <DataTable
        label={t('users.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={(page) => void navigate({ search: (before) => ({ ...before, page: page === 1 ? undefined : page }) })}
        empty={
          <EmptyUserList
            icon={PersonIcon}
            texts="users"
            isFiltered={isFiltered(search)}
            onClear={() => void navigate({ search: {} })}
            action={canWrite && <Button onClick={create}>{t('users.create')}</Button>}
          />
        }
      />
    </>
  );
}
