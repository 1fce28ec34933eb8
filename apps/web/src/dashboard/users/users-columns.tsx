import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { RelativeTime } from '../../ui/relative-time';
import { MemberMenu } from './member-menu';
import { UserLink } from './user-link';
import { type ListedUser, nameOf } from './user-queries';
import { UserStatus } from './user-status';

const column = createColumnHelper<ListedUser>();
const ROLES_SHOWN = 2;

interface Options {
  readonly withOrganization: boolean;
  readonly canChangeMembers: boolean;
}

export const usersColumns = (org: string, { withOrganization, canChangeMembers }: Options) => [
  column.display({
    id: 'user',
    header: t('users.columns.user'),
    meta: { sorts: ['email', '-email'] },
    cell: ({ row: { original } }) => (
      <UserLink org={original.organization?.id ?? org} id={original.id} name={nameOf(original)} email={original.email} />
    ),
  }),
  ...(withOrganization
    ? [
        column.accessor('organization', {
          header: t('users.columns.organization'),
          cell: (cell) => <OrganizationLink organization={cell.getValue()} />,
        }),
      ]
    : []),
  column.accessor('status', { header: t('users.columns.status'), cell: (cell) => <UserStatus status={cell.getValue()} /> }),
  column.accessor('roles', {
    header: t('users.columns.roles'),
    cell: (cell) => <RoleNames names={cell.getValue().map(({ name }) => roleName(name))} />,
  }),
  column.accessor('mfaEnabled', {
    header: t('users.columns.secondFactor'),
    cell: (cell) =>
      cell.getValue() ? (
        t('common.yes')
      ) : (
        <Text size="sm" c="dimmed">
          {t('common.no')}
        </Text>
      ),
  }),
  column.accessor('lastLoginAt', {
    header: t('users.columns.lastLogin'),
    meta: { sorts: ['-lastLoginAt', 'lastLoginAt'] },
    cell: (cell) => <NoWrap at={cell.getValue()} />,
  }),
  column.accessor('createdAt', {
    header: t('users.columns.created'),
    meta: { sorts: ['-createdAt', 'createdAt'] },
    cell: (cell) => <NoWrap at={cell.getValue()} />,
  }),
  ...(canChangeMembers
    ? [
        column.display({
          id: 'actions',
          header: t('common.actions'),
          cell: ({ row: { original } }) => <MemberMenu org={original.organization?.id ?? org} user={original} />,
        }),
      ]
    : []),
];

const NoWrap = ({ at }: { at: string | undefined }) => (
  <Text size="sm" component="span" style={{ whiteSpace: 'nowrap' }}>
    <RelativeTime at={at} />
  </Text>
);

function OrganizationLink({ organization }: { organization: ListedUser['organization'] }) {
  if (!organization) return null;
  return (
    <Anchor component={Link} to={`/dashboard/organizations/${organization.id}/users`} size="sm" className="breakable">
      {organization.name}
    </Anchor>
  );
}

/** Shows the first roles and the number of further roles. */
function RoleNames({ names }: { names: readonly string[] }) {
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('common.none')}
      </Text>
    );
  const hiddenCount = names.length - ROLES_SHOWN;
  return (
    <Text size="sm" miw={110} maw={220} className="breakable" title={names.join(', ')}>
      {names.slice(0, ROLES_SHOWN).join(', ')} {hiddenCount > 0 && t('users.moreRoles', { count: hiddenCount })}
    </Text>
  );
}
