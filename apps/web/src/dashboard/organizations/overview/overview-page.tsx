import { Grid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../api/client';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { organizationQuery, useOrganizationId } from '../../organization';
import { OrganizationStatus } from '../organization-status';
import { ChildrenCard } from './children-card';
import { CountsCard } from './counts-card';
import { DetailsCard } from './details-card';
import { useHints } from './hint-queries';
import { Hints } from './hints';
import { OrganizationActions } from './organization-actions';

export function OverviewPage() {
  const { data: organization, error, refetch } = useQuery(organizationQuery(useOrganizationId()));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return organization ? <Overview organization={organization} /> : <OverviewSkeleton />;
}

function Overview({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const hints = useHints(organization);
  if (!hints) return <OverviewSkeleton />;
  return (
    <>
      <PageHeader
        title={organization.name}
        description={organization.description && <Text className="breakable">{organization.description}</Text>}
        badge={<OrganizationStatus status={organization.status} />}
        actions={<OrganizationActions organization={organization} />}
      />
      <Hints organization={organization} hints={hints} />
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
