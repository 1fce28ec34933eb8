import { SimpleGrid, Stack, Text } from '@mantine/core';
import { t } from '../../../texts';
import { Count } from '../overview/count';
import { type Move, nonCompliantOrganizations } from './move';

/** Shows how many organizations, users, settings, permissions and webhooks a move affects. */
export function OverviewTab({ move }: { move: Move }) {
  const { id, parent, organizationCount, userCount, depth, settings, locks, permissions, webhooks } = move;
  const tab = (name: string) => `/dashboard/organizations/${id}/move?parent=${parent.to.id}&tab=${name}`;
  return (
    <Stack>
      <Text className="breakable">
        {t('organization.move.overview.path', { name: move.name, from: parent.from.name, to: parent.to.name })}
      </Text>
      <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
        <Count label={t('organization.move.overview.organizations')} count={organizationCount} />
        <Count label={t('organization.move.overview.users')} count={userCount} />
        <Count
          label={t('organization.move.overview.depth', { limit: depth.limit })}
          count={depth.from === depth.to ? depth.to : `${depth.from} → ${depth.to}`}
        />
        <Count label={t('organization.move.overview.settings')} count={settings.length} to={tab('settings')} />
        <Count label={t('organization.move.overview.locks')} count={locks.length} to={tab('locks')} />
        <Count
          label={t('organization.move.overview.policies')}
          count={nonCompliantOrganizations(move).length}
          to={tab('policies')}
        />
        <Count label={t('organization.move.overview.gained')} count={permissions.gained.length} to={tab('access')} />
        <Count label={t('organization.move.overview.lost')} count={permissions.lost.length} to={tab('access')} />
        <Count
          label={t('organization.move.overview.webhooks')}
          count={webhooks.gained.length + webhooks.lost.length}
          to={tab('webhooks')}
        />
      </SimpleGrid>
    </Stack>
  );
}
