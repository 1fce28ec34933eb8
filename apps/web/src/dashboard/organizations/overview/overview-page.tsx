import { Grid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { organizationQuery, useOrganizationId } from '../../organization';
import { OrganizationStatus } from '../organization-status';
import { ChildrenCard } from './children-card';
import { CountsCard } from './counts-card';
import { DetailsCard } from './details-card';
import { Hints } from './hints';
import { OrganizationActions } from './organization-actions';
import { useHintsLoaded } from './use-hints-loaded';

export function OverviewPage() {
  const query = useQuery(organizationQuery(useOrganizationId()));
  const isLoaded = useHintsLoaded(query.data);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data || !isLoaded) return <OverviewSkeleton />;
  const organization = query.data;
  return (
    <>
      <PageHeader
        title={organization.name}
        description={organization.description && <Text className="breakable">{organization.description}</Text>}
        badge={<OrganizationStatus status={organization.status} />}
        actions={<OrganizationActions organization={organization} />}
      />
      <Hints organization={organization} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <CountsCard organization={organization} />
            <ChildrenCard organization={organization} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <DetailsCard organization={organization} />
        </Grid.Col>
      </Grid>
    </>
  );
}

const OverviewSkeleton = () => (
  <Stack aria-busy>
    <Skeleton h={36} w={280} />
    <Skeleton h={120} />
    <Skeleton h={200} />
  </Stack>
);
