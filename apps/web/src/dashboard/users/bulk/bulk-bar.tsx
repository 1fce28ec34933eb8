import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../texts';
import type { Selection } from '../../../ui/use-selection';
import { covers, permissionsQuery } from '../../permissions';
import { type ListedUser, membersKey, nameOf, usersKey } from '../user-queries';
import { BULK_ACTIONS, type BulkAction, type BulkInput } from './bulk-actions';
import { openBulkDialog } from './bulk-dialog';

const BUTTONS_SHOWN = 3;

/** Returns whether the caller can do an action on several people. */
export function useHasBulkActions(org: string): boolean {
  const { data: held = [] } = useQuery(permissionsQuery(org));
  return BULK_ACTIONS.some(({ permissions }) => permissions.every((permission) => covers(held, permission)));
}

/** The actions on the selected people. Shows only actions that have an effect on one of them. */
export function BulkBar({ org, selection }: { org: string; selection: Selection<ListedUser> }) {
  const { data: permissions = [] } = useQuery(permissionsQuery(org));
  const users = selection.rows;
  if (users.length === 0) return null;
  const actions = BULK_ACTIONS.filter(
    (action) => action.permissions.every((permission) => covers(permissions, permission)) && users.some(action.appliesTo),
  ).map((action) => ({
    ...action,
    open: () => openAction(org, action, selection),
  }));
  const others = actions.slice(BUTTONS_SHOWN);
  return (
    <Paper withBorder p="xs" mb="sm" role="region" aria-label={t('users.bulk.bar')}>
      <Group gap="xs">
        <Text size="sm" fw={500} mx="xs" aria-live="polite">
          {t('users.bulk.selected', { count: users.length })}
        </Text>
        {actions.slice(0, BUTTONS_SHOWN).map(({ id, open }) => (
          <Button key={id} size="xs" variant="default" onClick={open}>
            {t(`users.bulk.${id}.label`)}
          </Button>
        ))}
        {others.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button size="xs" variant="default" rightSection={<ChevronDownIcon size={14} />}>
                {t('users.bulk.more')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {others.map(({ id, isDangerous, open }) => (
                <Menu.Item key={id} c={isDangerous ? 'var(--mantine-color-error)' : undefined} onClick={open}>
                  {t(`users.bulk.${id}.label`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <Button size="xs" variant="subtle" onClick={selection.clear}>
          {t('users.bulk.clear')}
        </Button>
      </Group>
    </Paper>
  );
}

function openAction(org: string, action: BulkAction, selection: Selection<ListedUser>): void {
  const affected = selection.rows.filter(action.appliesTo);
  const initial: BulkInput = { reason: '', revokeActiveSessions: false };
  openBulkDialog({
    title: t(`users.bulk.${action.id}.title`, { count: affected.length }),
    // The fields of a suspension have the text.
    text: action.id === 'suspend' ? undefined : t(`users.bulk.${action.id}.text`),
    submitLabel: t(`users.bulk.${action.id}.label`),
    isDangerous: action.isDangerous,
    people: affected.map((user) => ({
      id: user.id,
      org: user.organization?.id ?? org,
      name: nameOf(user),
      email: user.email,
    })),
    leftOutCount: selection.rows.length - affected.length,
    initial,
    fields: (onChange) => action.fields?.({ org, onChange }),
    isComplete: (input) => action.required === undefined || Boolean(input[action.required]),
    send: action.send,
    invalidates: [usersKey(org), membersKey(org), ['user'], ['groups'], ['organization', org], ['permissions']],
    onDone: (succeededIds) =>
      selection.set(
        affected.filter(({ id }) => succeededIds.has(id)),
        false,
      ),
  });
}
