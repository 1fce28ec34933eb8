import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { PeopleIcon, PersonAddIcon, SearchIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { DebouncedInput } from '../../ui/debounced-input';
import { EmptyState } from '../../ui/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { type Selection, useSelection } from '../../ui/use-selection';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useHasPermission } from '../permissions';
import { openBulkDialog } from '../users/bulk/bulk-dialog';
import { UserLink } from '../users/user-link';
import { UserStatus } from '../users/user-status';
import { openAddGroupMemberDialog } from './add-group-member-form';
import { usePaging } from '../../ui/paging';
import { groupMembersQuery, groupsKey, type UserGroup } from './group-queries';

const ROUTE = '/dashboard/organizations/$org/groups/$groupId';

type GroupMember = Schema<'GroupMemberResponse'>;

interface Props {
  readonly org: string;
  readonly group: UserGroup;
}

export function GroupMembers({ org, group }: Props) {
  const { search } = useSearch({ from: ROUTE });
  const { page, limit, ...paging } = usePaging();
  const navigate = useNavigate({ from: ROUTE });
  const canWrite = useHasPermission('groups:write');
  const query = useQuery({ ...groupMembersQuery(org, group.id, { search, page, limit }), placeholderData: keepPreviousData });
  const confirmRemoval = useRemoval(org, group);
  const selection = useSelection(idOf, JSON.stringify([group.id, search]));
  const add = () => openAddGroupMemberDialog(org, group);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Title order={2}>{t('groups.membership.title')}</Title>
          <Text c="dimmed" size="sm">
            {t('groups.membership.text', { count: group.memberCount })}
          </Text>
        </Stack>
        {canWrite && (
          <Button variant="default" leftSection={<PersonAddIcon size={16} />} onClick={add}>
            {t('groups.membership.add')}
          </Button>
        )}
      </Group>
      {(group.memberCount > 0 || search !== undefined) && (
        <DebouncedInput
          label={t('groups.membership.search')}
          placeholder={t('groups.membership.searchPlaceholder')}
          leftSection={<SearchIcon size={16} />}
          value={search}
          onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
          maw={360}
        />
      )}
      <SelectionBar org={org} group={group} selection={selection} />
      <DataTable
        label={t('groups.membership.title')}
        columns={memberColumns(org, canWrite ? confirmRemoval : undefined)}
        rowId={idOf}
        query={query}
        selection={canWrite ? { ...selection, rowName: ({ displayName }) => displayName } : undefined}
        {...paging}
        empty={
          <EmptyState
            icon={PeopleIcon}
            title={search === undefined ? t('groups.membership.emptyTitle') : t('members.noneFoundTitle')}
          >
            {search === undefined ? t('groups.membership.empty') : t('groups.membership.noMatchAdvice')}
          </EmptyState>
        }
      />
    </Stack>
  );
}

const idOf = ({ userId }: GroupMember): string => userId;

function SelectionBar({ org, group, selection }: Props & { readonly selection: Selection<GroupMember> }) {
  const { length: count } = selection.rows;
  if (count === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm" aria-live="polite">
        {t('users.bulk.selected', { count })}
      </Text>
      <Button size="xs" variant="default" onClick={() => openRemoval(org, group, selection)}>
        {t('groups.membership.removeSelected')}
      </Button>
    </Group>
  );
}

/** Removes the selected members after a confirmation. */
function openRemoval(org: string, group: UserGroup, selection: Selection<GroupMember>): void {
  openBulkDialog({
    title: t('groups.membership.removeSelectedTitle', { count: selection.rows.length, group: group.name }),
    text: t('groups.membership.removeSelectedText'),
    submitLabel: t('common.remove'),
    isDangerous: true,
    people: selection.rows.map(({ userId: id, displayName: name, email }) => ({ id, org, name, email })),
    initial: {},
    send: () => (to, userIds, key) =>
      unwrap(
        api.POST('/v1/organizations/{org}/users/batch/remove-from-group', {
          params: { path: { org: to }, header: { 'Idempotency-Key': key } },
          body: { userIds, groupId: group.id },
        }),
      ),
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    onDone: (removedIds) =>
      selection.set(
        selection.rows.filter(({ userId }) => removedIds.has(userId)),
        false,
      ),
  });
}

/** Removes a member of a group after a confirmation. */
function useRemoval(org: string, group: UserGroup): (member: GroupMember) => void {
  const remove = useApiMutation({
    mutationFn: ({ userId, displayName }: GroupMember) => {
      const params = { path: { org, id: group.id, userId } };
      return unwrap(api.DELETE('/v1/organizations/{org}/groups/{id}/members/{userId}', { params })).then(() => displayName);
    },
    invalidates: [groupsKey(org), ['permissions'], ['permission-check', org]],
    successMessage: (name) => t('groups.membership.removed', { name }),
  });
  return (member) =>
    confirm({
      title: t('groups.membership.removeTitle', { name: member.displayName, group: group.name }),
      consequences: t('groups.membership.removeText'),
      confirmLabel: t('common.remove'),
      isDangerous: true,
      action: () => remove.mutateAsync(member),
    });
}

const column = createColumnHelper<GroupMember>();

const memberColumns = (org: string, onRemove: ((member: GroupMember) => void) | undefined) => [
  column.display({
    id: 'member',
    header: t('members.columns.member'),
    cell: ({ row: { original } }) => (
      <UserLink org={org} id={original.userId} name={original.displayName} email={original.email} />
    ),
  }),
  column.accessor('status', { header: t('members.columns.status'), cell: (cell) => <UserStatus status={cell.getValue()} /> }),
  column.accessor('addedAt', {
    header: t('groups.membership.addedAt'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  ...(onRemove
    ? [
        column.display({
          id: 'actions',
          header: t('common.actions'),
          cell: ({ row: { original } }) => (
            <Button
              size="xs"
              variant="default"
              onClick={() => onRemove(original)}
              aria-label={t('members.removeLabel', { name: original.displayName })}
            >
              {t('common.remove')}
            </Button>
          ),
        }),
      ]
    : []),
];
