import { Alert, Anchor, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { baseUrl } from '../../api/base-url';
import { t } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { formatDateTime } from '../../ui/format-date-time';
import { PageHeader } from '../../ui/page-header';
import { PersonAvatar } from '../../ui/person-avatar';
import { AsOfBanner } from '../as-of/as-of-banner';
import { AsOfButton } from '../as-of/as-of-button';
import { AsOfError } from '../as-of/as-of-error';
import { useAsOf } from '../as-of/use-as-of';
import { ManagedBy } from '../managed-by';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { UserActions } from './user-actions';
import { UserDifferences } from './user-differences';
import { UserEvents } from './user-events';
import { UserMemberships } from './user-memberships';
import { UserProfile } from './user-profile';
import { nameOf, type User, userQuery } from './user-queries';
import { UserRoles } from './user-roles';
import type { UserTab } from './user-search';
import { UserSecurity } from './user-security';
import { UserSessions } from './user-sessions';
import { UserStatus } from './user-status';

const ROUTE = '/dashboard/organizations/$org/users/$userId';

export function UserPage() {
  const org = useOrganizationId();
  const { userId } = useParams({ from: ROUTE });
  const { asOf } = useAsOf();
  const query = useQuery(userQuery(org, userId, asOf));
  return (
    <>
      <AsOfBanner />
      <Anchor component={Link} to={`/dashboard/organizations/${org}/users`} size="sm">
        {t('users.user.backToUsers')}
      </Anchor>
      {query.data && <LoadedUser key={asOf} org={org} user={query.data.user} etag={query.data.etag} />}
      {query.isPending && <Skeleton h={240} />}
      {query.error && !query.data && (
        <>
          <PageHeader title={t('users.user.title')} />
          <AsOfError error={query.error} onRetry={() => void query.refetch()} />
        </>
      )}
    </>
  );
}

interface LoadedProps {
  readonly org: string;
  readonly user: User;
  readonly etag: string;
}

function LoadedUser({ org, user, etag }: LoadedProps) {
  const { asOf, isComparing } = useAsOf();
  return (
    <>
      <PageHeader
        title={nameOf(user)}
        picture={
          <PersonAvatar
            name={nameOf(user)}
            src={user.picture && `${baseUrl}/v1/organizations/${org}/users/${user.id}/picture`}
            size={38}
          />
        }
        badge={<UserStatus status={user.status} />}
        description={
          <Stack gap={4}>
            <Group gap="xs">
              {nameOf(user) !== user.email && <Text className="breakable">{user.email}</Text>}
              <CopyField value={user.id} label={t('users.user.idLabel')} />
            </Group>
            {user.managedBy && <ManagedBy org={org} connectionId={user.managedBy} />}
          </Stack>
        }
        actions={
          <>
            <AsOfButton />
            {asOf === undefined && <UserActions org={org} user={user} />}
          </>
        }
      />
      <StatusNotice user={user} isPast={asOf !== undefined} />
      {asOf !== undefined && isComparing && <UserDifferences org={org} asOf={asOf} past={user} />}
      <UserTabs org={org} user={user} etag={etag} />
    </>
  );
}

/** Explains the status of a user who is not active. At a past moment, shows only the reason of a suspension. */
function StatusNotice({ user, isPast }: { user: User; isPast: boolean }) {
  if (user.status === 'active' || (isPast && !user.suspendedReason)) return null;
  return (
    <Alert mb="md" color={user.status === 'deleted' ? 'red' : 'yellow'}>
      <Stack gap={4}>
        {!isPast && (
          <Text size="sm">
            {user.status === 'deleted' &&
              t('users.user.deletedNotice', { until: formatDateTime(user.restorableUntil ?? user.updatedAt) })}
            {user.status === 'suspended' && t('users.user.suspendedNotice')}
            {user.status === 'pending' && t('users.user.pendingNotice')}
          </Text>
        )}
        {user.suspendedReason && (
          <Text size="sm" className="breakable">
            {t('users.user.suspendedReason', { reason: user.suspendedReason })}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function UserTabs({ org, user, etag }: LoadedProps) {
  const { tab, asOf } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const canReadSessions = useHasPermission('sessions:read');
  const canReadEvents = useHasPermission('events:read');
  const panels: Partial<Record<UserTab, ReactNode>> = {
    profile: <UserProfile key={user.id} org={org} user={user} etag={etag} />,
    roles: <UserRoles org={org} user={user} />,
    memberships: <UserMemberships org={org} user={user} />,
    // The history has no sessions.
    ...(canReadSessions && asOf === undefined && { sessions: <UserSessions org={org} user={user} /> }),
    security: <UserSecurity user={user} />,
    ...(canReadEvents && { events: <UserEvents org={org} userId={user.id} until={asOf} /> }),
  };
  const names = Object.keys(panels) as UserTab[];
  const activeTab = tab && names.includes(tab) ? tab : 'profile';
  return (
    <Tabs
      value={activeTab}
      onChange={(next) => {
        const nextTab = next === 'profile' ? undefined : (next as UserTab);
        void navigate({ search: (before) => ({ ...before, tab: nextTab, page: undefined }) });
      }}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`users.user.tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {panels[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
