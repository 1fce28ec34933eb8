import { Button, Stack, Text } from '@mantine/core';
import { SignOutIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { createColumnHelper } from '@tanstack/react-table';
import { api, unwrap } from '../../api/client';
import { findText, t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { UserName } from '../user-name';
import { adviceFor } from '../webhooks/delivery/advice';
import { DeliveryStatusBadge } from '../webhooks/deliveries/delivery-status';
import { type LogoutDelivery, logoutDeliveriesKey, logoutDeliveriesQuery } from './application-queries';
import { usePaging } from '../../ui/paging';
import { useApplication } from './use-application';

const column = createColumnHelper<LogoutDelivery>();
const columns = [
  column.accessor('createdAt', {
    header: () => t('applications.logout.ended'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
  column.accessor('userId', {
    header: () => t('applications.access.user'),
    cell: (cell) => userOf(cell.getValue()),
  }),
  column.accessor('reason', {
    header: () => t('applications.logout.reason'),
    cell: (cell) => reasonOf(cell.getValue()),
  }),
  column.display({
    id: 'status',
    header: () => t('deliveries.status'),
    cell: ({ row: { original } }) => <DeliveryStatusBadge delivery={original} />,
  }),
  column.display({
    id: 'response',
    header: () => t('deliveries.lastResponse'),
    cell: ({ row: { original } }) => responseOf(original),
  }),
  column.accessor('attemptCount', { header: () => t('deliveries.attempts') }),
  column.accessor('nextAttemptAt', {
    header: () => t('deliveries.next'),
    cell: (cell) => <RelativeTime at={cell.getValue()} fallback={t('deliveries.dash')} />,
  }),
  column.display({
    id: 'actions',
    header: () => t('common.actions'),
    cell: ({ row: { original } }) => <ResendButton delivery={original} />,
  }),
];

/** Lists the logout tokens of an application, and sends them again. */
export function LogoutTab() {
  const org = useOrganizationId();
  const { application } = useApplication();
  const { page, limit, ...paging } = usePaging();
  const query = useQuery(logoutDeliveriesQuery(org, application.id, { page, limit }));
  const hasAddress = application.backchannelLogoutUri !== null;
  return (
    <Stack>
      <Text c="dimmed" maw={640}>
        {t('applications.logout.description')}
      </Text>
      <DataTable
        label={t('applications.tabs.logout')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState
            icon={SignOutIcon}
            title={t(hasAddress ? 'applications.logout.emptyTitle' : 'applications.logout.noAddressTitle')}
          >
            {t(hasAddress ? 'applications.logout.empty' : 'applications.logout.noAddress')}
          </EmptyState>
        }
      />
    </Stack>
  );
}

const userOf = (id: string | null) => (id === null ? t('deliveries.dash') : <UserName id={id} isLink />);

function reasonOf(reason: string | null): string {
  return reason === null ? t('deliveries.dash') : (findText(`applications.logout.reasons.${reason}`) ?? reason);
}

function responseOf({ attemptCount, lastResponseCode, lastErrorKind }: LogoutDelivery): string | number {
  if (attemptCount === 0) return t('deliveries.noResponseYet');
  return lastResponseCode ?? adviceFor({ errorKind: lastErrorKind, responseCode: null }).title;
}

function ResendButton({ delivery: { id, status } }: { delivery: LogoutDelivery }) {
  const org = useOrganizationId();
  const { application } = useApplication();
  const canWrite = useHasPermission('oauth_clients:write');
  const resend = useApiMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/organizations/{org}/oauth-clients/{id}/logout-deliveries/{deliveryId}/retry', {
          params: { path: { org, id: application.id, deliveryId: id } },
        }),
      ),
    invalidates: [logoutDeliveriesKey(org, application.id)],
    successMessage: t('applications.logout.resent'),
  });
  if (!canWrite || status === 'delivering') return null;
  return (
    <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t('applications.logout.resend')}
    </Button>
  );
}
