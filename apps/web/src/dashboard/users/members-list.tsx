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
import { EmptyUserList } from './empty-user-list';
import { DirectoryFilters } from './directory-filters';
import { useMemberRemoval } from './use-member-removal';
import { membersKey } from './user-queries';
import { usePaging } from '../../ui/paging';
import type { UsersSearch } from './users-search';

const ROUTE = '/dashboard/organizations/$org/users';
const MEMBER_STATUSES = ['active', 'pending', 'suspended'] as const;

interface MembersSearch extends Pick<UsersSearch, 'search' | 'role' | 'page' | 'limit'> {
  readonly status?: (typeof MEMBER_STATUSES)[number];
}

const membersQuery = (org: string, query: MembersSearch) =>
  queryOptions({
    queryKey: [...membersKey(org), query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/organizations/{org}/members', { params: { path: { org }, query }, signal })),
  });

/** The members of an organization, for callers who can't read its other users. */
export function MembersList() {
  const org = useOrganizationId();
  const { search, role, status: asked } = useSearch({ from: ROUTE });
  const { page, limit, ...paging } = usePaging();
  const status = MEMBER_STATUSES.find((each) => each === asked);
  const filter = { search, role, status };
  const navigate = useNavigate({ from: ROUTE });
  const canWrite = useHasPermission('members:write');
  const canReadRoles = useHasPermission('roles:read');
  const query = useQuery({ ...membersQuery(org, { page, limit, ...filter }), placeholderData: keepPreviousData });
  const confirmRemoval = useMemberRemoval(org);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const add = () => openAddMemberDialog(org);
  return (
    <>
      <PageHeader
        title={t('users.title')}
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
        {...paging}
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
