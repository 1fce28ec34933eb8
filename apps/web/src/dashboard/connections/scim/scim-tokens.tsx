import { Button, Code, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { KeyIcon, PlusIcon, SyncIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RelativeTime } from '../../../ui/relative-time';
import { RowMenu } from '../../../ui/row-menu';
import { Expiry } from '../expiry';
import { openCreateScimTokenDialog } from './create-scim-token';
import { confirmTokenRevocation } from './revoke-scim-token';
import { openRotateScimTokenDialog } from './rotate-scim-token';
import { type ScimConnection, type ScimScope, type ScimToken, scimTokensQuery } from './scim-queries';

interface Props extends ScimScope {
  readonly connection: ScimConnection;
  /** Whether the caller can create and rotate tokens. */
  readonly canWrite: boolean;
  readonly canRevoke: boolean;
  readonly headingOrder: 2 | 4;
}

/** Shows the tokens of a connection, with the actions to create, rotate and revoke them. */
export function ScimTokens({ client, org, connection, canWrite, canRevoke, headingOrder }: Props) {
  const query = useQuery(scimTokensQuery({ client, org }, connection.id));
  const columns = useMemo(
    () => columnsOf({ client, org, connection, canWrite, canRevoke }),
    [client, org, connection, canWrite, canRevoke],
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={headingOrder}>{t('scim.tokens')}</Title>
        {canWrite && (
          <Button
            variant="default"
            leftSection={<PlusIcon size={16} />}
            onClick={() => openCreateScimTokenDialog({ client, org }, connection)}
          >
            {t('scim.token.create')}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('scim.tokens')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={() => undefined}
        empty={
          <EmptyState icon={KeyIcon} title={t('scim.token.emptyTitle')}>
            {t('scim.token.empty')}
          </EmptyState>
        }
      />
    </Stack>
  );
}

const column = createColumnHelper<ScimToken>();
const columnsOf = (actions: Omit<Props, 'headingOrder'>) => [
  column.accessor('name', {
    header: () => t('scim.token.name'),
    cell: ({ row: { original } }) => <TokenName token={original} />,
  }),
  column.accessor('lastUsedAt', {
    header: () => t('apiKeys.lastUsed'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('expiresAt', { header: () => t('apiKeys.expires'), cell: (cell) => <Expiry at={cell.getValue()} /> }),
  column.accessor('allowedNetworks', {
    header: () => t('apiKeys.networks'),
    cell: (cell) => (
      <Text size="sm" className="breakable" maw={200}>
        {cell.getValue()?.join(', ') ?? t('scim.token.allNetworks')}
      </Text>
    ),
  }),
  ...(actions.canRevoke
    ? [
        column.display({
          id: 'actions',
          header: () => t('common.actions'),
          cell: ({ row: { original } }) => <TokenActions {...actions} token={original} />,
        }),
      ]
    : []),
];

function TokenName({ token: { name, last4, rotatedFromId } }: { token: ScimToken }) {
  return (
    <Stack gap={2} miw={120} maw={260} align="flex-start">
      <Text size="sm" fw={500} className="breakable">
        {name}
      </Text>
      <Code>…{last4}</Code>
      {rotatedFromId && (
        <Text size="xs" c="dimmed">
          {t('scim.token.rotatedFrom')}
        </Text>
      )}
    </Stack>
  );
}

function TokenActions({ client, org, connection, canWrite, token }: Omit<Props, 'headingOrder'> & { token: ScimToken }) {
  const scope = { client, org };
  return (
    <RowMenu label={t('apiKeys.actionsFor', { name: token.name })}>
      {canWrite && (
        <Menu.Item leftSection={<SyncIcon size={16} />} onClick={() => openRotateScimTokenDialog(scope, connection, token)}>
          {t('scim.token.rotate')}
        </Menu.Item>
      )}
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<TrashIcon size={16} />}
        onClick={() => confirmTokenRevocation(scope, connection, token)}
      >
        {t('scim.token.revoke')}
      </Menu.Item>
    </RowMenu>
  );
}
