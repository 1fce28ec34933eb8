import { Button, Stack, Text } from '@mantine/core';
import { PeopleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { AccessList } from '../../ui/access-list';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { notifySuccess } from '../../ui/notify';
import { RelativeTime } from '../../ui/relative-time';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { usePaging } from '../../ui/paging';
import { type Grant, grantsKey, grantsQuery } from './application-queries';

const column = createColumnHelper<Grant>();
const columns = [
  column.accessor('userEmail', {
    header: () => t('applications.access.user'),
    cell: ({ row: { original } }) => (
      <Text size="sm" className="breakable" miw={160} maw={260}>
        {userOf(original)}
      </Text>
    ),
  }),
  column.accessor('application', {
    header: () => t('applications.access.application'),
    cell: (cell) => (
      <Text size="sm" className="breakable" miw={120} maw={220}>
        {cell.getValue()?.name ?? t('account.applications.deleted')}
      </Text>
    ),
  }),
  column.display({
    id: 'scopes',
    header: () => t('applications.access.allowed'),
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={240} maw={360}>
        <AccessList scopes={original.scopes} resources={original.resources} />
      </Stack>
    ),
  }),
  column.accessor('createdAt', {
    header: () => t('applications.access.since'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('lastUsedAt', {
    header: () => t('applications.access.lastSignIn'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <RevokeButton grant={original} />,
  }),
];

interface Props {
  /** Only what users allowed this application. */
  readonly clientId?: string;
}

/** Lists what the users of the organization allowed applications to do. */
export function GrantsTable({ clientId }: Props) {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(grantsQuery(org, { page, limit }, clientId));
  return (
    <DataTable
      label={t('applications.access.title')}
      columns={columns}
      rowId={({ id }) => id}
      query={query}
      {...paging}
      empty={
        <EmptyState icon={PeopleIcon} title={t('applications.access.emptyTitle')}>
          {t('applications.access.empty')}
        </EmptyState>
      }
    />
  );
}

const userOf = ({ userEmail, userId }: Grant): string => userEmail ?? userId;

function RevokeButton({ grant }: { grant: Grant }) {
  const org = useOrganizationId();
  const canWrite = useHasPermission('oauth_grants:write');
  if (!canWrite) return null;
  const user = userOf(grant);
  const application = grant.application?.name ?? t('account.applications.deleted');
  const openConfirmation = () =>
    confirm({
      title: t('applications.access.revokeTitle', { application, user }),
      consequences: t('applications.access.revokeText'),
      confirmLabel: t('applications.access.revoke'),
      isDangerous: true,
      action: async () => {
        const params = { path: { org, id: grant.id } };
        await unwrap(api.DELETE('/v1/organizations/{org}/oauth-grants/{id}', { params }));
        await queryClient.invalidateQueries({ queryKey: grantsKey(org) });
        notifySuccess(t('applications.access.revoked'));
      },
    });
  return (
    <Button
      variant="default"
      size="xs"
      onClick={openConfirmation}
      aria-label={t('applications.access.revokeNamed', { application, user })}
    >
      {t('applications.access.revoke')}
    </Button>
  );
}
