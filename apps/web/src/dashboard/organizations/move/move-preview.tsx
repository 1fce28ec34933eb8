import { Alert, Badge, Button, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { ErrorNotice } from '../../../ui/error-notice';
import { notifySuccess } from '../../../ui/notify';
import { ancestorsQuery } from '../../organization';
import { expandInTree } from '../tree/tree-state';
import { AccessTab } from './access-tab';
import { groupChanges } from './grouped-changes';
import { LocksTab } from './locks-tab';
import { isMoveTab, type Move, MOVE_ROUTE, nonCompliantOrganizations } from './move';
import { OverviewTab } from './overview-tab';
import { PoliciesTab } from './policies-tab';
import { SettingsTab } from './settings-tab';
import { WebhooksTab } from './webhooks-tab';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Id or slug of the new parent. */
  readonly parentId: string;
}

/** Shows the effects of a move in tabs, and moves the organization after a confirmation by name. */
export function MovePreview({ organization, parentId }: Props) {
  const { id, name } = organization;
  const query = useQuery({
    queryKey: ['organization', id, 'move-preview', parentId],
    queryFn: async () => {
      const params = { path: { org: id } };
      return (await unwrap(api.POST('/v1/organizations/{org}/move/preview', { params, body: { parentId } }))).data;
    },
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const move = useMove();
  if (query.error)
    return <ErrorNotice error={query.error} title={t('organization.move.notPossible')} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={280} aria-busy />;
  const { parent, organizationCount } = query.data;
  if (parent.from.id === parent.to.id)
    return <Alert>{t('organization.move.sameParent', { name, parent: parent.to.name })}</Alert>;
  const openConfirmation = () =>
    confirm({
      title: t('organization.move.confirmTitle', { name }),
      consequences: t('organization.move.consequences', {
        organizations: t('organizations.countOrganizations', { count: organizationCount }),
        from: parent.from.name,
        to: parent.to.name,
      }),
      confirmLabel: t('organization.move.submit'),
      typeToConfirm: name,
      action: () => move(query.data),
    });
  return (
    <Stack gap="lg">
      <PreviewTabs move={query.data} />
      <Group justify="flex-end">
        <Button variant="default" component={Link} to={`/dashboard/organizations/${id}`}>
          {t('common.cancel')}
        </Button>
        <Button onClick={openConfirmation}>{t('organization.move.submit')}</Button>
      </Group>
    </Stack>
  );
}

/** Returns a function that moves an organization and shows it in the tree. */
function useMove(): (move: Move) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async ({ id, name, parent: { to } }) => {
    const ancestors = await client.fetchQuery(ancestorsQuery(to.id));
    await unwrap(api.POST('/v1/organizations/{org}/move', { params: { path: { org: id } }, body: { parentId: to.id } }));
    expandInTree([...ancestors.map((ancestor) => ancestor.id), to.id]);
    await navigate({ to: '/dashboard' });
    // Cached paths and inherited values of organizations can be outdated. Invalidation would refetch only what a page shows.
    client.removeQueries({ queryKey: ['organization'] });
    await Promise.all(['organizations', 'permissions', 'session'].map((area) => client.invalidateQueries({ queryKey: [area] })));
    notifySuccess(t('organization.move.done', { name, parent: to.name }));
  };
}

function PreviewTabs({ move }: { move: Move }) {
  const { tab = 'overview' } = useSearch({ from: MOVE_ROUTE });
  const navigate = useNavigate({ from: MOVE_ROUTE });
  const panels: readonly (readonly [typeof tab, number | undefined, ReactNode])[] = [
    ['overview', undefined, <OverviewTab key="overview" move={move} />],
    ['settings', groupChanges(move.settings).length, <SettingsTab key="settings" move={move} />],
    ['locks', move.locks.length, <LocksTab key="locks" move={move} />],
    ['policies', nonCompliantOrganizations(move).length, <PoliciesTab key="policies" move={move} />],
    ['access', move.permissions.gained.length + move.permissions.lost.length, <AccessTab key="access" move={move} />],
    ['webhooks', move.webhooks.gained.length + move.webhooks.lost.length, <WebhooksTab key="webhooks" move={move} />],
  ];
  const openTab = (next: string | null) =>
    void navigate({ search: (before) => ({ ...before, tab: isMoveTab(next) ? next : undefined }), replace: true });
  return (
    <Tabs value={tab} onChange={openTab} keepMounted={false}>
      <Tabs.List mb="lg" aria-label={t('organization.move.tabs.label')}>
        {panels.map(([name, count]) => (
          <Tabs.Tab key={name} value={name} rightSection={count ? <CountBadge count={count} /> : undefined}>
            {t(`organization.move.tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {panels.map(([name, , panel]) => (
        <Tabs.Panel key={name} value={name}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const CountBadge = ({ count }: { count: number }) => (
  <Badge size="sm" variant="light" autoContrast>
    {t('common.total', { count })}
  </Badge>
);
