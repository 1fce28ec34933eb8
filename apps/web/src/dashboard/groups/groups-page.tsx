import { Anchor, Button, Stack, Text } from '@mantine/core';
import { OrganizationIcon, PlusIcon, SearchIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../texts';
import { ActionButton } from '../../ui/action-button';
import { DataTable } from '../../ui/data-table';
import { DebouncedInput } from '../../ui/debounced-input';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { RelativeTime } from '../../ui/relative-time';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { openCreateGroupDialog } from './group-form';
import { usePaging } from '../../ui/paging';
import { groupsQuery, type UserGroup } from './group-queries';

const ROUTE = '/dashboard/organizations/$org/groups';

const column = createColumnHelper<UserGroup>();
const columns = [
  column.accessor('name', { header: () => t('groups.name'), cell: ({ row: { original } }) => <GroupLink group={original} /> }),
  column.accessor('memberCount', {
    header: () => t('groups.members'),
    cell: (cell) => t('common.total', { count: cell.getValue() }),
  }),
  column.accessor('externalId', { header: () => t('groups.externalId'), cell: (cell) => cell.getValue() ?? '–' }),
  column.accessor('createdAt', { header: () => t('groups.createdAt'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
];

export function GroupsPage() {
  const org = useOrganizationId();
  const { search } = useSearch({ from: ROUTE });
  const { page, limit, ...paging } = usePaging();
  const navigate = useNavigate({ from: ROUTE });
  const canWrite = useHasPermission('groups:write');
  const query = useQuery({ ...groupsQuery(org, { search, page, limit }), placeholderData: keepPreviousData });
  const create = () =>
    openCreateGroupDialog(org, ({ id }) => void navigate({ to: `/dashboard/organizations/${org}/groups/${id}` }));
  return (
    <>
      <PageHeader
        title={t('groups.title')}
        description={t('groups.description')}
        actions={
          <ActionButton
            onClick={create}
            disabledReason={canWrite ? undefined : t('groups.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('groups.create')}
          </ActionButton>
        }
      />
      <DebouncedInput
        label={t('groups.search')}
        placeholder={t('groups.searchPlaceholder')}
        leftSection={<SearchIcon size={16} />}
        value={search}
        onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
        maw={360}
        mb="md"
      />
      <DataTable
        label={t('groups.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          search === undefined ? (
            <EmptyState
              icon={OrganizationIcon}
              title={t('groups.emptyTitle')}
              action={canWrite && <Button onClick={create}>{t('groups.create')}</Button>}
            >
              {t('groups.empty')}
            </EmptyState>
          ) : (
            <EmptyState icon={OrganizationIcon} title={t('groups.noMatch')}>
              {t('groups.noMatchAdvice')}
            </EmptyState>
          )
        }
      />
    </>
  );
}

function GroupLink({ group }: { group: UserGroup }) {
  const org = useOrganizationId();
  return (
    <Stack gap={2} miw={180}>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/groups/${group.id}`} fw={500} className="breakable">
        {group.name}
      </Anchor>
      {group.description && (
        <Text size="sm" c="dimmed" lineClamp={2} maw={420}>
          {group.description}
        </Text>
      )}
    </Stack>
  );
}
