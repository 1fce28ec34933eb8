import { Button, Group, Menu } from '@mantine/core';
import { KebabHorizontalIcon } from '@primer/octicons-react';
import { useNavigate } from '@tanstack/react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { notifySuccess } from '../../ui/notify';
import { useHasPermission, useHasPermissions } from '../permissions';
import { type LifecycleAction, lifecycleActions } from './lifecycle-actions';
import { ImpersonationItem, useCanImpersonate } from './impersonate-user';
import { membersKey, type User, userKey, usersKey } from './user-queries';

/** The permissions that the export of a user requires. */
const EXPORT_PERMISSIONS = [
  'users:read',
  'members:read',
  'roles:read',
  'sessions:read',
  'events:read',
  'api_keys:read',
  'webhooks:read',
];

/** Shows the most frequent action as a button and all other actions in a menu. */
export function UserActions({ org, user }: { org: string; user: User }) {
  const { data: session } = useQuery(sessionQuery);
  const openConfirmation = useConfirmation(org, user);
  const permissions = { write: useHasPermission('users:write'), remove: useHasPermission('users:delete') };
  const actions = lifecycleActions(org, user).filter(({ needs }) => permissions[needs]);
  const canExport = useHasPermissions(EXPORT_PERMISSIONS);
  const isOwn = session?.user?.id === user.id;
  const canImpersonate = useCanImpersonate(user);
  const [first, ...others] = actions;
  const hasMenu = others.length > 0 || canExport || canImpersonate;
  if (!first && !hasMenu) return null;
  const reasonAgainst = (action: LifecycleAction) => (isOwn && action.changesSignIn ? t('users.lifecycle.ownSignIn') : undefined);
  return (
    <Group gap="xs">
      {first && (
        <Button variant="default" onClick={() => openConfirmation(first)}>
          {first.label}
        </Button>
      )}
      {hasMenu && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px="xs" aria-label={t('users.user.actions')}>
              <KebabHorizontalIcon size={18} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {canImpersonate && <ImpersonationItem org={org} user={user} />}
            {canExport && <Menu.Item onClick={() => void exportData(org, user.id)}>{t('users.user.exportData')}</Menu.Item>}
            {others.map((action) => (
              <Menu.Item
                key={action.label}
                c={action.isDangerous ? 'var(--mantine-color-error)' : undefined}
                disabled={reasonAgainst(action) !== undefined}
                title={reasonAgainst(action)}
                onClick={() => openConfirmation(action)}
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}

const exportData = (org: string, userId: string): Promise<void> =>
  downloadRecentlyAuthenticated(`/v1/organizations/${encodeURIComponent(org)}/users/${userId}/export`);

/** Returns a function that opens the confirmation of an action, and runs the action. */
function useConfirmation(org: string, user: User) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return ({ run, done, purgesUser, ...confirmation }: LifecycleAction) =>
    confirm({
      ...confirmation,
      action: async () => {
        await run();
        if (purgesUser) await navigate({ to: `/dashboard/organizations/${org}/users` });
        await Promise.all(
          [usersKey(org), membersKey(org), ['organization', org], ...(purgesUser ? [] : [userKey(org, user.id)])].map(
            (queryKey) => client.invalidateQueries({ queryKey }),
          ),
        );
        notifySuccess(done);
      },
    });
}
