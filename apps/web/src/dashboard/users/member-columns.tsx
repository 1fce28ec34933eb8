import { Button, Group } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import type { Schema } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { RelativeTime } from '../../ui/relative-time';
import { UserLink } from './user-link';
import { UserStatus } from './user-status';

export type Member = Schema<'MemberResponse'>;
const column = createColumnHelper<Member>();

interface Actions {
  readonly onChangeRole?: (member: Member) => void;
  readonly onRemove?: (member: Member) => void;
}

export const memberColumns = (org: string, { onChangeRole, onRemove }: Actions) => [
  column.display({
    id: 'member',
    header: t('members.columns.member'),
    cell: ({ row: { original } }) => (
      <UserLink org={org} id={original.userId} name={original.displayName} email={original.email} />
    ),
  }),
  column.accessor('role', { header: t('members.columns.role'), cell: (cell) => roleName(cell.getValue()) }),
  column.accessor('status', { header: t('members.columns.status'), cell: (cell) => <UserStatus status={cell.getValue()} /> }),
  column.accessor('joinedAt', { header: t('members.columns.joined'), cell: (cell) => <RelativeTime at={cell.getValue()} /> }),
  ...(onChangeRole || onRemove
    ? [
        column.display({
          id: 'actions',
          header: t('common.actions'),
          cell: ({ row: { original } }) => (
            <Group gap="xs" wrap="nowrap">
              {onChangeRole && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChangeRole(original)}
                  aria-label={t('members.changeRoleOf', { name: original.displayName })}
                >
                  {t('members.changeRole')}
                </Button>
              )}
              {onRemove && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onRemove(original)}
                  aria-label={t('members.removeLabel', { name: original.displayName })}
                >
                  {t('members.remove')}
                </Button>
              )}
            </Group>
          ),
        }),
      ]
    : []),
];
