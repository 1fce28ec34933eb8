import { Anchor, Badge, Code, Menu, Stack, Text } from '@mantine/core';
import { KeyIcon, PlusIcon, SyncIcon, TrashIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RowMenu } from '../../../ui/row-menu';
import { RelativeTime } from '../../../ui/relative-time';
import { PageHeader } from '../../../ui/page-header';
import { ActionButton } from '../../../ui/action-button';
import { PermissionSummary } from '../../access/permission-summary';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { UserName } from '../../user-name';
import { Expiry } from '../expiry';
import { confirmRevocation } from './revoke-key';
import { type Paging, usePaging } from '../../../ui/paging';
import { openRotateKeyDialog } from './rotate-key';

const UNUSED_AFTER_MS = 90 * 86_400_000;
type ApiKey = Schema<'ApiKeyResponse'>;

const column = createColumnHelper<ApiKey>();
const columns = [
  column.accessor('name', {
    header: () => t('apiKeys.name'),
    cell: ({ row: { original } }) => (
      <Stack gap={2} miw={160} maw={260}>
        <Text size="sm" fw={500} className="breakable">
          {original.name}
        </Text>
        {original.rotatedFromId && (
          <Text size="xs" c="dimmed">
            {t('apiKeys.rotatedFrom')}
          </Text>
        )}
        <Flag apiKey={original} />
      </Stack>
    ),
  }),
  column.display({
    id: 'key',
    header: () => t('apiKeys.key'),
    cell: ({ row: { original } }) => (
      <Code style={{ whiteSpace: 'nowrap' }}>
        {original.prefix}…{original.last4}
      </Code>
    ),
  }),
  column.accessor('scopes', { header: () => t('apiKeys.scopes'), cell: ({ row: { original } }) => <Scopes apiKey={original} /> }),
  column.accessor('lastUsedAt', {
    header: () => t('apiKeys.lastUsed'),
    cell: ({ row: { original } }) => <LastUse apiKey={original} />,
  }),
  column.accessor('expiresAt', { header: () => t('apiKeys.expires'), cell: (cell) => <Expiry at={cell.getValue()} /> }),
  column.accessor('createdBy', {
    header: () => t('apiKeys.createdBy'),
    cell: ({ row: { original } }) => <Creator apiKey={original} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <KeyActions apiKey={original} />,
  }),
];

export function ApiKeysPage() {
  const org = useOrganizationId();
  const { key } = useSearch({ from: '/dashboard/organizations/$org/api-keys' });
  const { page, limit, ...paging } = usePaging();
  const canWrite = useHasPermission('api_keys:write');
  const query = useQuery({
    queryKey: ['api-keys', org, { page, limit, key }],
    queryFn: () => (key === undefined ? listKeys(org, { page, limit }) : listOneKey(org, key)),
    placeholderData: keepPreviousData,
  });
  const create = (
    <ActionButton
      to={`/dashboard/organizations/${org}/api-keys/new`}
      disabledReason={canWrite ? undefined : t('apiKeys.cannotWrite')}
      leftSection={<PlusIcon size={16} />}
    >
      {t('apiKeys.create')}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t('apiKeys.title')} description={t('apiKeys.description')} actions={create} />
      {key !== undefined && (
        <Text size="sm" mb="sm">
          {t('apiKeys.onlyOne')}{' '}
          <Anchor component={Link} to={`/dashboard/organizations/${org}/api-keys`} inherit>
            {t('apiKeys.showAll')}
          </Anchor>
        </Text>
      )}
      <DataTable
        label={t('apiKeys.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={KeyIcon} title={t('apiKeys.emptyTitle')}>
            {t('apiKeys.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

const listKeys = (org: string, paging: Paging) =>
  unwrap(api.GET('/v1/organizations/{org}/api-keys', { params: { path: { org }, query: paging } }));

/** Returns a list with one key, to which a search result leads. */
async function listOneKey(org: string, id: string): ReturnType<typeof listKeys> {
  const { data } = await unwrap(api.GET('/v1/organizations/{org}/api-keys/{id}', { params: { path: { org, id } } }));
  return { data: [data], pagination: { total: 1, page: 1, limit: 1, hasMore: false } };
}

/** Shows why a key is flagged: a problem with the creator of the key. */
function Flag({ apiKey: { flag, disabled } }: { apiKey: ApiKey }) {
  if (!flag) return null;
  return (
    <>
      <Badge color={disabled ? 'red' : 'yellow'} variant="light" tt="none" autoContrast>
        {disabled ? t('apiKeys.disabled') : t('apiKeys.flagged')}
      </Badge>
      <Text size="xs" c="dimmed">
        {t(`apiKeys.flags.${flag}`)}
      </Text>
    </>
  );
}

/** Shows the scopes of a key and, after the first use, the unused scopes. */
function Scopes({ apiKey: { scopes, createdAt, lastUsedAt, unusedPermissions } }: { apiKey: ApiKey }) {
  const unused = Date.parse(createdAt) < Date.now() - UNUSED_AFTER_MS ? 'apiKeys.unused' : 'apiKeys.unusedYet';
  return (
    <Stack gap={2} maw={320}>
      <PermissionSummary permissions={scopes} />
      {lastUsedAt && unusedPermissions.length > 0 && (
        <Text size="xs" c="dimmed" className="breakable">
          {t(unused, { permissions: unusedPermissions.join(', ') })}
        </Text>
      )}
    </Stack>
  );
}

function LastUse({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: ApiKey }) {
  return (
    <Stack gap={2}>
      <RelativeTime at={lastUsedAt} />
      {lastUsedIp && (
        <Text size="xs" c="dimmed">
          {t('apiKeys.fromAddress', { address: lastUsedIp })}
        </Text>
      )}
    </Stack>
  );
}

function Creator({ apiKey: { createdBy, createdAt } }: { apiKey: ApiKey }) {
  const { type, id } = createdBy;
  return (
    <Stack gap={2} miw={160} maw={240}>
      <Text size="sm" component="div">
        {type === 'user' && id ? (
          <UserName id={id} />
        ) : type === 'platform' ? (
          t('apiKeys.platform')
        ) : (
          `${t('apiKeys.anotherKey')} ${id ?? ''}`
        )}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <RelativeTime at={createdAt} />
      </Text>
    </Stack>
  );
}

function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const org = useOrganizationId();
  const canWrite = useHasPermission('api_keys:write');
  if (!canWrite) return null;
  return (
    <RowMenu label={t('apiKeys.actionsFor', { name: apiKey.name })}>
      <Menu.Item leftSection={<SyncIcon size={16} />} onClick={() => openRotateKeyDialog(org, apiKey)}>
        {t('apiKeys.rotate')}
      </Menu.Item>
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<TrashIcon size={16} />}
        onClick={() => confirmRevocation(org, apiKey)}
      >
        {t('apiKeys.revoke')}
      </Menu.Item>
    </RowMenu>
  );
}
