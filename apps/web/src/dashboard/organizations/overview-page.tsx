import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { StatusBadge } from '../../ui/status-badge';
import { organizationQuery, useOrganizationId } from '../organization';

/** What an organization is, at a glance. */
export function OverviewPage() {
  const query = useQuery(organizationQuery(useOrganizationId()));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={120} />;
  return <PageHeader title={query.data.name} badge={<StatusBadge status={query.data.status} />} />;
}
