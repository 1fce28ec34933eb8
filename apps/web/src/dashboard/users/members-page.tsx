import { Button } from '@mantine/core';
import { PeopleIcon, PersonAddIcon } from '@primer/octicons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { useMay } from '../permissions';
import { openMemberAddition } from './add-member-form';
import { openRoleChange } from './change-role-form';
import { memberColumns } from './member-columns';
import { MEMBER_STATUSES, type MembersSearch } from './members-search';
import { NobodyListed } from './nobody-listed';
import { PeopleFilters } from './people-filters';
import { useMemberRemoval } from './use-member-removal';
import { membersKey } from './user-queries';

const PLACE = '/dashboard/organizations/$org/members';

const membersQuery = (org: string, { page = 1, ...filter }: MembersSearch) =>
  queryOptions({
    queryKey: [...membersKey(org), { page, ...filter }],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{org}/members', { params: { path: { org }, query: { page, ...filter } }, signal })),
  });

/** Lists the members of an organization. */
export function MembersPage() {
  const org = useOrganizationId();
  const { page, ...filter } = useSearch({ from: PLACE });
  const navigate = useNavigate({ from: PLACE });
  const mayWrite = useMay('members:write');
  const mayReadRoles = useMay('roles:read');
  const query = useQuery({ ...membersQuery(org, { page, ...filter }), placeholderData: keepPreviousData });
  const askRemoval = useMemberRemoval(org);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const add = () => openMemberAddition(org);
  return (
    <>
      <PageHeader
        title={t('members.title')}
        description={t('members.description')}
        actions={
          mayWrite && (
            <Button leftSection={<PersonAddIcon size={18} />} onClick={add}>
              {t('members.add')}
            </Button>
          )
        }
      />
      <PeopleFilters
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
          onChangeRole: mayWrite && mayReadRoles ? (member) => openRoleChange(org, member) : undefined,
          onRemove: mayWrite ? ({ userId, displayName }) => askRemoval({ userId, name: displayName }) : undefined,
        })}
        rowId={({ userId }) => userId}
        query={query}
        onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next === 1 ? undefined : next }) })}
        empty={
          <NobodyListed
            icon={PeopleIcon}
            texts="members"
            isFiltered={isFiltered}
            onClear={() => void navigate({ search: {} })}
            action={mayWrite && <Button onClick={add}>{t('members.add')}</Button>}
          />
        }
      />
    </>
  );
}
