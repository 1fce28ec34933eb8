import { Button, Text } from '@mantine/core';
import { LinkIcon, PlusIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { ActionButton } from '../../../ui/action-button';
import { confirm } from '../../../ui/confirm';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { PageHeader } from '../../../ui/page-header';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { usePaging } from '../../../ui/paging';
import { openCreateSetupLinkDialog, setupLinksKey } from './create-setup-link';

type SetupLink = Schema<'SetupLinkResponse'>;

const column = createColumnHelper<SetupLink>();
const columns = [
  column.accessor('steps', {
    header: () => t('setupLinks.steps'),
    cell: (cell) => (
      <Text size="sm">
        {cell
          .getValue()
          .map((step) => t(`setupLinks.stepNames.${step}`))
          .join(', ')}
      </Text>
    ),
  }),
  column.accessor('status', {
    header: () => t('setupLinks.status'),
    cell: (cell) => <StatusBadge status={cell.getValue()} label={t(`setupLinks.statuses.${cell.getValue()}`)} />,
  }),
  column.accessor('openedAt', {
    header: () => t('setupLinks.opened'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('expiresAt', {
    header: () => t('setupLinks.expires'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('createdAt', {
    header: () => t('setupLinks.createdAt'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <RevokeButton link={original} />,
  }),
];

export function SetupLinksPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const canWrite = useHasPermission('setup_links:write');
  const query = useQuery({
    queryKey: [...setupLinksKey(org), { page, limit }],
    queryFn: () => unwrap(api.GET('/v1/organizations/{org}/setup-links', { params: { path: { org }, query: { page, limit } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title={t('setupLinks.title')}
        description={t('setupLinks.description')}
        actions={
          <ActionButton
            onClick={() => openCreateSetupLinkDialog(org)}
            disabledReason={canWrite ? undefined : t('setupLinks.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('setupLinks.create')}
          </ActionButton>
        }
      />
      <DataTable
        label={t('setupLinks.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={LinkIcon} title={t('setupLinks.emptyTitle')}>
            {t('setupLinks.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function RevokeButton({ link: { id } }: { link: SetupLink }) {
  const org = useOrganizationId();
  const canWrite = useHasPermission('setup_links:write');
  const revoke = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/organizations/{org}/setup-links/{id}', { params: { path: { org, id } } })),
    invalidates: [setupLinksKey(org)],
    successMessage: t('setupLinks.revoked'),
  });
  if (!canWrite) return null;
  const openConfirmation = () =>
    confirm({
      title: t('setupLinks.revokeTitle'),
      consequences: t('setupLinks.revokeText'),
      confirmLabel: t('setupLinks.revoke'),
      isDangerous: true,
      action: () => revoke.mutateAsync(undefined),
    });
  return (
    <Button variant="default" size="xs" onClick={openConfirmation}>
      {t('setupLinks.revoke')}
    </Button>
  );
}
