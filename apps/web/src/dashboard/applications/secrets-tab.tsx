import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { KeyIcon, SyncIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { notifySuccess } from '../../ui/notify';
import { RelativeTime } from '../../ui/relative-time';
import { Expiry } from '../connections/expiry';
import { openRotationDialog } from '../connections/rotation-dialog';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { secretsKey, secretsQuery } from './application-queries';
import { showNewClientSecret } from './new-client-secret';
import { useApplication } from './use-application';

type Secret = Schema<'OauthClientSecretResponse'>;

const column = createColumnHelper<Secret>();
const columns = [
  column.accessor('last4', { header: () => t('applications.secret'), cell: (cell) => <Code>…{cell.getValue()}</Code> }),
  column.accessor('createdAt', {
    header: () => t('applications.secrets.created'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('expiresAt', { header: () => t('apiKeys.expires'), cell: (cell) => <Expiry at={cell.getValue()} /> }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <DeleteSecret secret={original} />,
  }),
];

/** Lists the secrets of an application, and rotates them. */
export function SecretsTab() {
  const org = useOrganizationId();
  const { application } = useApplication();
  const canWrite = useHasPermission('oauth_clients:write');
  const query = useQuery(secretsQuery(org, application.id));
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw={640} flex="1 1 18rem">
          {t('applications.secrets.description')}
        </Text>
        {canWrite && (
          <Button leftSection={<SyncIcon size={16} />} onClick={() => openRotation(org, application)}>
            {t('applications.secrets.rotate')}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('applications.tabs.secrets')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={() => undefined}
        empty={
          <EmptyState icon={KeyIcon} title={t('applications.secrets.emptyTitle')}>
            {t('applications.secrets.empty')}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function openRotation(org: string, { id, name }: Schema<'OauthClientResponse'>): void {
  openRotationDialog({
    title: t('applications.secrets.rotateTitle', { name }),
    consequences: t('applications.secrets.rotateText'),
    overlapLabel: t('applications.secrets.overlap'),
    submitLabel: t('applications.secrets.rotate'),
    rotate: async (previousExpireInSeconds) => {
      const params = { path: { org, client: id } };
      const body = { previousExpireInSeconds };
      return (await unwrap(api.POST('/v1/organizations/{org}/oauth-clients/{client}/secrets', { params, body }))).data;
    },
    invalidates: secretsKey(org, id),
    onRotated: ({ secret }) => showNewClientSecret(id, secret),
  });
}

function DeleteSecret({ secret: { id, last4 } }: { secret: Secret }) {
  const org = useOrganizationId();
  const { application } = useApplication();
  const canWrite = useHasPermission('oauth_clients:write');
  if (!canWrite) return null;
  const openConfirmation = () =>
    confirm({
      title: t('applications.secrets.deleteTitle', { last4 }),
      consequences: t('applications.secrets.deleteText'),
      confirmLabel: t('applications.secrets.delete'),
      isDangerous: true,
      action: async () => {
        const params = { path: { org, client: application.id, id } };
        await unwrap(api.DELETE('/v1/organizations/{org}/oauth-clients/{client}/secrets/{id}', { params }));
        await queryClient.invalidateQueries({ queryKey: secretsKey(org, application.id) });
        notifySuccess(t('applications.secrets.deleted'));
      },
    });
  return (
    <Button variant="default" size="xs" onClick={openConfirmation} aria-label={t('applications.secrets.deleteNamed', { last4 })}>
      {t('applications.secrets.delete')}
    </Button>
  );
}
