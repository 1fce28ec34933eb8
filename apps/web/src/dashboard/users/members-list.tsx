import { Button } from '@mantine/core';
import { PeopleIcon, PersonAddIcon } from '@primer/octicons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { AccessReportMenu } from './access-report-menu';
import { openAddMemberDialog } from './add-member-form';
import { openChangeRoleDialog } from './change-role-form';
import { memberColumns } from './member-columns';
import { MEMBER_STATUSES, type MembersSearch } from './members-search';
import { EmptyUserList } from './empty-user-list';
import { DirectoryFilters } from './directory-filters';
import { useMemberRemoval } from './use-member-removal';
import { membersKey } from './user-queries';

const ROUTE = '/dashboard/organizations/$org/members';

const membersQuery = (org: string, { page = 1, ...filter }: MembersSearch) =>
  queryOptions({
    queryKey: [...membersKey(org), { page, ...filter }],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/organizations/{org}/members', { params: { path: { org }, query: { page, ...filter } }, signal })),
  });

export function MembersPage() {
  const org = useOrganizationId();
  const { page, ...filter } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const canWrite = useHasPermission('members:write');
  const canReadRoles = useHasPermission('roles:read');
  const query = useQuery({ ...membersQuery(org, { page, ...filter }), placeholderData: keepPreviousData });
  const confirmRemoval = useMemberRemoval(org);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const add = () => openAddMemberDialog(org);
  return (
    <>
      <PageHeader
        title={t('members.title')}
        description={t('members.description')}
        actions={
          <>
            <AccessReportMenu org={org} />
            {canWrite && (
              <Button leftSection={<PersonAddIcon size={18} />} onClick={add}>
                {t('members.add')}
              </Button>
            )}
          </>
        }
      />
      <DirectoryFilters
        org={org}
        search={filter}
        statuses={MEMBER_STATUSES}
        isLoading={query.isFetching}
        onChange={(changes, replace) =>
          void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace })
        }
      />
      <DataTable
        label={t('members.title')}
        columns={memberColumns(org, {
          onChangeRole: canWrite && canReadRoles ? (member) => openChangeRoleDialog(org, member) : undefined,
          onRemove: canWrite ? ({ userId, displayName }) => confirmRemoval({ userId, name: displayName }) : undefined,
        })}
        rowId={({ userId }) => userId}
        query={query}
        onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next === 1 ? undefined : next }) })}
        empty={
          <EmptyUserList
            icon={PeopleIcon}
            texts="members"
            isFiltered={isFiltered}
            onClear={() => void navigate({ search: {} })}
            action={canWrite && <Button onClick={add}>{t('members.add')}</Button>}
          />
        }
      />
    </>
  );
}
