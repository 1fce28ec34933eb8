import { Anchor, Text } from '@mantine/core';
import { PlusIcon, ServerIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { t } from '../../../texts';
import { ActionButton } from '../../../ui/action-button';
import { CopyField } from '../../../ui/copy-field';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { PageHeader } from '../../../ui/page-header';
import { RelativeTime } from '../../../ui/relative-time';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { usePaging } from '../../../ui/paging';
import { type Api, apisQuery } from '../application-queries';

const column = createColumnHelper<Api>();
const columns = [
  column.accessor('name', { header: () => t('applications.name'), cell: ({ row: { original } }) => <ApiLink {...original} /> }),
  column.accessor('identifier', {
    header: () => t('applications.apis.identifier'),
    cell: (cell) => <CopyField value={cell.getValue()} label={t('applications.apis.identifier')} minWidth={220} />,
  }),
  column.accessor('scopes', {
    header: () => t('applications.apis.scopes'),
    cell: (cell) => (
      <Text size="sm" className="breakable" miw={160} maw={320} lineClamp={3}>
        {cell
          .getValue()
          .map(({ name }) => name)
          .join(', ')}
      </Text>
    ),
  }),
  column.accessor('updatedAt', {
    header: () => t('applications.apis.updated'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
];

export function ApisPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const canWrite = useHasPermission('oauth_resources:write');
  const query = useQuery(apisQuery(org, { page, limit }));
  return (
    <>
      <PageHeader
        title={t('applications.apis.title')}
        description={t('applications.apis.description')}
        actions={
          <ActionButton
            to={`/dashboard/organizations/${org}/applications/apis/new`}
            disabledReason={canWrite ? undefined : t('applications.apis.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('applications.apis.create')}
          </ActionButton>
        }
      />
      <DataTable
        label={t('applications.apis.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={ServerIcon} title={t('applications.apis.emptyTitle')}>
            {t('applications.apis.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function ApiLink({ id, name }: Api) {
  const to = `/dashboard/organizations/${useOrganizationId()}/applications/apis/${id}`;
  return (
    <Anchor component={Link} to={to} fw={500} className="breakable" miw={140} display="block">
      {name}
    </Anchor>
  );
}
