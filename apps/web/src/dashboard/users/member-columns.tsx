import { Button, Group } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import type { Schema } from '../../api/client';
import { texts } from '../../texts';
import { Moment } from '../../ui/moment';
import { StatusBadge } from '../../ui/status-badge';
import { UserLink } from './user-link';

const words = texts.members;
export type Member = Schema<'MemberResponse'>;
const column = createColumnHelper<Member>();

interface Actions {
  readonly onChangeRole?: (member: Member) => void;
  readonly onRemove?: (member: Member) => void;
}

/** What the list says of each member, and what may be done about it. */
export const memberColumns = (org: string, { onChangeRole, onRemove }: Actions) => [
  column.display({
    id: 'member',
    header: words.columns.member,
    cell: ({ row: { original } }) => (
      <UserLink org={org} id={original.userId} name={original.displayName} email={original.email} />
    ),
  }),
  column.accessor('role', { header: words.columns.role }),
  column.accessor('status', { header: words.columns.status, cell: (cell) => <StatusBadge status={cell.getValue()} /> }),
  column.accessor('joinedAt', { header: words.columns.joined, cell: (cell) => <Moment at={cell.getValue()} /> }),
  ...(onChangeRole || onRemove
    ? [
        column.display({
          id: 'actions',
          header: texts.common.actions,
          cell: ({ row: { original } }) => (
            <Group gap="xs" wrap="nowrap">
              {onChangeRole && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChangeRole(original)}
                  aria-label={words.changeRoleOf(original.displayName)}
                >
                  {words.changeRole}
                </Button>
              )}
              {onRemove && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onRemove(original)}
                  aria-label={words.removeLabel(original.displayName)}
                >
                  {words.remove}
                </Button>
              )}
            </Group>
          ),
        }),
      ]
    : []),
];
