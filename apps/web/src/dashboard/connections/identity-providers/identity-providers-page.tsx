import { Anchor, Text } from '@mantine/core';
import { PlusIcon, SignInIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DataTable } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { RelativeTime } from '../../../ui/relative-time';
import { PageHeader } from '../../../ui/page-header';
import { ActionButton } from '../../../ui/action-button';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import type { IdentityProvider } from './provider-queries';
import { usePaging } from '../../../ui/paging';
import { ProviderStatus } from './provider-status';

const column = createColumnHelper<IdentityProvider>();
const columns = [
  column.accessor('name', {
    header: () => t('identityProviders.name'),
    cell: ({ row: { original } }) => <ProviderLink provider={original} />,
  }),
  column.accessor('issuer', {
    header: () => t('identityProviders.issuer.oidc'),
    cell: (cell) => (
      <Text size="sm" className="breakable" miw={200} maw={320}>
        {cell.getValue()}
      </Text>
    ),
  }),
  column.accessor('enabled', {
    header: () => t('identityProviders.status'),
    cell: ({ row: { original } }) => <ProviderStatus provider={original} />,
  }),
  column.accessor('trustedDomains', {
    header: () => t('identityProviders.trustedDomains'),
    cell: (cell) => (
      <Text size="sm" className="breakable" miw={160} maw={280} lineClamp={2}>
        {cell.getValue().join(', ') || t('identityProviders.noTrustedDomains')}
      </Text>
    ),
  }),
  column.accessor('updatedAt', {
    header: () => t('identityProviders.updatedAt'),
    cell: (cell) => <RelativeTime at={cell.getValue()} />,
  }),
];

export function IdentityProvidersPage() {
  const org = useOrganizationId();
  const { page, limit, ...paging } = usePaging();
  const canWrite = useHasPermission('organizations:write');
  const query = useQuery({
    queryKey: ['identity-providers', org, { page, limit }],
    queryFn: () =>
      unwrap(api.GET('/v1/organizations/{org}/identity-providers', { params: { path: { org }, query: { page, limit } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title={t('identityProviders.title')}
        description={t('identityProviders.description')}
        actions={
          <ActionButton
            to={`/dashboard/organizations/${org}/identity-providers/new`}
            disabledReason={canWrite ? undefined : t('identityProviders.cannotWrite')}
            leftSection={<PlusIcon size={16} />}
          >
            {t('identityProviders.create')}
          </ActionButton>
        }
      />
      <DataTable
        label={t('identityProviders.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        {...paging}
        empty={
          <EmptyState icon={SignInIcon} title={t('identityProviders.emptyTitle')}>
            {t('identityProviders.empty')}
          </EmptyState>
        }
      />
    </>
  );
}

function ProviderLink({ provider: { id, name } }: { provider: IdentityProvider }) {
  const org = useOrganizationId();
  return (
    <Anchor
      component={Link}
      to={`/dashboard/organizations/${org}/identity-providers/${id}`}
      fw={500}
      className="breakable"
      miw={140}
      display="block"
    >
      {name}
    </Anchor>
  );
}
