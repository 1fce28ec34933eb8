import { Paper, SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { useHasPermission } from '../../permissions';
import { Count } from './count';
import { userCountQuery, webhooksQuery } from './overview-queries';

export function CountsCard({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id, memberCount, children, identityProviders } = organization;
  const canReadUsers = useHasPermission('users:read');
  const canReadWebhooks = useHasPermission('webhooks:read');
  const active = useQuery({ ...userCountQuery(id, 'active'), enabled: canReadUsers });
  const pending = useQuery({ ...userCountQuery(id, 'pending'), enabled: canReadUsers });
  const webhooks = useQuery({ ...webhooksQuery(id), enabled: canReadWebhooks });
  const base = `/dashboard/organizations/${id}`;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="sm">
        {t('organization.counts.heading')}
      </Title>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
        <Count label={t('organization.counts.members')} count={memberCount} to={`${base}/members`} />
        {canReadUsers && <Count label={t('organization.counts.active')} count={active.data} to={`${base}/users?status=active`} />}
        {canReadUsers && (
          <Count label={t('organization.counts.pending')} count={pending.data} to={`${base}/users?status=pending`} />
        )}
        <Count label={t('organization.counts.children')} count={children.length} />
        {canReadWebhooks && (
          <Count label={t('organization.counts.webhooks')} count={webhooks.data?.length} to={`${base}/webhooks`} />
        )}
        <Count
          label={t('organization.counts.identityProviders')}
          count={identityProviders.length}
          to={`${base}/identity-providers`}
        />
      </SimpleGrid>
    </Paper>
  );
}
