import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { PlusIcon, WebhookIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RelativeTime } from '../../../ui/relative-time';
import { PageHeader } from '../../../ui/page-header';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { type Webhook, webhooksQuery } from '../webhook-queries';
import { SubscribedEvents } from './subscribed-events';
import { SuccessRate } from './success-rate';
import { usePaging } from '../../../ui/paging';
import { WebhookStatus } from './webhook-status';

const column = createColumnHelper<Webhook>();
const columns = [
  column.accessor('name', {
    header: () => t('webhooks.name'),
    cell: ({ row: { original } }) => (
      <Stack gap={0} miw={180}>
        <Anchor component={Link} to={`/dashboard/organizations/${original.organizationId}/webhooks/${original.id}`} fw={600}>
          {original.name}
        </Anchor>
        <Text size="xs" c="dimmed" className="breakable" lineClamp={2}>
          {original.url}
        </Text>
      </Stack>
    ),
  }),
  column.display({
    id: 'status',
    header: () => t('webhooks.status'),
    cell: ({ row }) => <WebhookStatus webhook={row.original} />,
  }),
  column.display({
    id: 'successRate',
    header: () => t('webhooks.successRate'),
    cell: ({ row }) => <SuccessRate rate={row.original.metadata.successRate} />,
  }),
  column.accessor('metadata.failureCount', {
    header: () => t('webhooks.failuresInARow'),
    cell: (cell) => (
      <Text size="sm" fw={cell.getValue() > 0 ? 600 : 400} c={cell.getValue() > 0 ? undefined : 'dimmed'}>
        {cell.getValue()}
      </Text>
    ),
  }),
  column.accessor('metadata.lastDelivery', {
    header: () => t('webhooks.lastDelivery'),
    cell: (cell) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={cell.getValue()} />
      </Text>
    ),
  }),
  column.accessor('events', {
    header: () => t('webhooks.events'),
    cell: (cell) => <SubscribedEvents events={cell.getValue()} />,
  }),
];

export function WebhooksPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(webhooksQuery(org, { page, limit }));
  const canWrite = useHasPermission('webhooks:write');
  const add = canWrite && (
    <Button component={Link} to={`/dashboard/organizations/${org}/webhooks/new`} leftSection={<PlusIcon size={16} />}>
      {t('webhooks.add')}
    </Button>
  );
  const isEmpty = query.data?.pagination.total === 0;
  return (
    <>
      <PageHeader title={t('webhooks.title')} description={t('webhooks.description')} actions={!isEmpty && add} />
      <DataTable
        label={t('webhooks.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={WebhookIcon} title={t('webhooks.emptyTitle')} action={<Group mt="xs">{add}</Group>}>
            {t('webhooks.empty')}
          </EmptyState>
        }
      />
    </>
  );
}
