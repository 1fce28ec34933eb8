import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { notifySuccess } from '../../../ui/notify';
import { StatusBadge } from '../../../ui/status-badge';
import { useHasPermission } from '../../permissions';
import { ScimFailedChanges } from './scim-failed-changes';
import { type ScimConnection, scimKey, scimPreviewQuery, scimPreviewedUsersQuery } from './scim-queries';

const PATH = '/v1/organizations/{org}/scim-connections/{id}';

interface Props {
  readonly org: string;
  readonly connection: ScimConnection;
  readonly canWrite: boolean;
}

/** Shows the mode of a connection with what it would do, and the buttons that change the mode. */
export function ScimMode({ org, connection, canWrite }: Props) {
  const { mode } = connection;
  const pausedUntil = limitsPauseOf(connection);
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={2}>{t('scim.mode')}</Title>
      <StatusBadge status={mode} label={t(`scim.modes.${mode}`)} />
      <Text size="sm">
        {t(`scim.modeTexts.${mode}`)}
        {pausedUntil && ` ${t('scim.limitsPaused', { time: formatDateTime(pausedUntil) })}`}
      </Text>
      {mode === 'preview' && <Preview org={org} connection={connection} />}
      {(mode === 'active' || mode === 'stopped') && <ScimFailedChanges org={org} connectionId={connection.id} />}
      {canWrite && <Buttons org={org} connection={connection} />}
    </Stack>
  );
}

/** Returns the time until which the limits do not apply, if it is in the future. */
const limitsPauseOf = ({ mode, limitsPausedUntil }: ScimConnection): string | undefined =>
  mode === 'active' && limitsPausedUntil !== null && new Date(limitsPausedUntil) > new Date() ? limitsPausedUntil : undefined;

function Buttons({ org, connection: { id, name, mode } }: Omit<Props, 'canWrite'>) {
  const change = async (action: 'activate' | 'start-preview' | 'roll-back') => {
    await unwrap(api.POST(`${PATH}/${action}`, { params: { path: { org, id } } }));
    await queryClient.invalidateQueries({ queryKey: scimKey(org) });
    notifySuccess(t('scim.modeChanged', { name }));
  };
  const ask = (action: 'activate' | 'start-preview' | 'roll-back', key: 'continue' | 'apply' | 'preview' | 'rollBack') =>
    confirm({
      title: t(`scim.${key}.title`, { name }),
      consequences: t(`scim.${key}.text`),
      confirmLabel: t(`scim.${key}.button`),
      action: () => change(action),
    });
  return (
    <Group>
      {mode === 'preview' && <Button onClick={() => ask('activate', 'apply')}>{t('scim.apply.button')}</Button>}
      {mode === 'stopped' && (
        <>
          <Button onClick={() => ask('roll-back', 'rollBack')}>{t('scim.rollBack.button')}</Button>
          <Button variant="default" onClick={() => ask('activate', 'continue')}>
            {t('scim.continue.button')}
          </Button>
        </>
      )}
      {(mode === 'active' || mode === 'stopped') && (
        <Button variant="default" onClick={() => ask('start-preview', 'preview')}>
          {t('scim.preview.button')}
        </Button>
      )}
    </Group>
  );
}

const USER_ACTIONS = ['create', 'adopt', 'update', 'activate', 'suspend', 'delete'] as const;
const GROUP_ACTIONS = ['create', 'update', 'delete'] as const;

function Preview({ org, connection }: Omit<Props, 'canWrite'>) {
  const query = useQuery(scimPreviewQuery({ client: api, org }, connection.id));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Changes org={org} connection={connection} preview={query.data.data} /> : null;
}

function Changes({ org, connection, preview }: Omit<Props, 'canWrite'> & { preview: Schema<'ScimPreviewResponse'> }) {
  const { users, groups } = preview;
  const lines = [
    ...USER_ACTIONS.filter((action) => users[action] > 0).map((action) =>
      t(`scim.wouldUsers.${action}`, { count: users[action] }),
    ),
    ...GROUP_ACTIONS.filter((action) => groups[action] > 0).map((action) =>
      t(`scim.wouldGroups.${action}`, { count: groups[action] }),
    ),
    ...(groups.membersAdded > 0 ? [t('scim.wouldGroups.membersAdded', { count: groups.membersAdded })] : []),
    ...(groups.membersRemoved > 0 ? [t('scim.wouldGroups.membersRemoved', { count: groups.membersRemoved })] : []),
  ];
  if (lines.length === 0) return <Text size="sm">{t('scim.nothingRecorded')}</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t('scim.recorded')}
      </Text>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {users.removedOwners > 0 && <Alert color="red">{t('scim.removedOwners', { count: users.removedOwners })}</Alert>}
      {(users.suspend > 0 || users.delete > 0) && (
        <RemovedUsers org={org} connection={connection} count={users.suspend + users.delete} />
      )}
    </Stack>
  );
}

/** Names the first users who would be suspended or deleted. */
function RemovedUsers({ org, connection: { id }, count }: Omit<Props, 'canWrite'> & { count: number }) {
  const enabled = useHasPermission('users:read');
  const suspended = useQuery({ ...scimPreviewedUsersQuery({ client: api, org }, id, 'suspend'), enabled });
  const deleted = useQuery({ ...scimPreviewedUsersQuery({ client: api, org }, id, 'delete'), enabled });
  if (!suspended.data || !deleted.data) return null;
  const emails = [...suspended.data.data, ...deleted.data.data].map(({ email }) => email);
  return (
    <Text size="sm" className="breakable">
      {t('scim.removedUsers', { emails: emails.join(', '), more: Math.max(0, count - emails.length) })}
    </Text>
  );
}
