import { createRoute, redirect } from '@tanstack/react-router';
import { loadFirst } from '../../app/first-page';
import { lazyPage } from '../../app/lazy-page';
import { queryClient } from '../../app/query-client';
import { rootRoute } from '../../app/root-route';
import { type AsOfSearch, asOfSearchOf } from '../as-of/as-of-search';
import { dashboardRoute, organizationRoute } from '../root-routes';
import { isMoveTab, type MoveSearch } from './move/move';
import { onlyOrganizationQuery } from './only-organization';
import type { OrganizationsSearch } from './organizations-search';

const pages = () => import('./pages');
const firstPages = () => import('../first-pages');

const organizationsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/',
  validateSearch: ({ tab, search, page }: Record<string, unknown>): OrganizationsSearch => ({
    ...(tab === 'deleted' && { tab }),
    ...((typeof search === 'string' || typeof search === 'number') && { search: String(search) }),
    ...(typeof page === 'number' && page > 1 && { page: Math.floor(page) }),
  }),
  beforeLoad: async ({ search }) => {
    if (Object.keys(search).length > 0) return;
    const onlyOrganizationId = await queryClient.ensureQueryData(onlyOrganizationQuery);
    if (onlyOrganizationId)
      throw redirect({ to: '/dashboard/organizations/$org', params: { org: onlyOrganizationId }, replace: true });
  },
  component: lazyPage(pages, 'OrganizationsPage'),
});

const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/',
  loader: ({ params: { org } }) => loadFirst(async () => (await firstPages()).loadOverview(org)),
  component: lazyPage(firstPages, 'OverviewPage'),
});

interface SettingsSearch extends AsOfSearch {
  readonly tab?: 'branding';
}

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  validateSearch: (search: Record<string, unknown>): SettingsSearch => ({
    tab: search['tab'] === 'branding' ? 'branding' : undefined,
    ...asOfSearchOf(search),
  }),
  component: lazyPage(pages, 'SettingsPage'),
});

const moveRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'move',
  validateSearch: ({ parent, tab }: Record<string, unknown>): MoveSearch => ({
    ...((typeof parent === 'string' || typeof parent === 'number') && { parent: String(parent) }),
    ...(isMoveTab(tab) && { tab }),
  }),
  component: lazyPage(pages, 'MovePage'),
});

/** The page of the one-time link, which needs no session. */
export const gettingStartedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard/getting-started',
  component: lazyPage(() => import('./getting-started/getting-started-page'), 'GettingStartedPage'),
});

/** Pages outside a single organization. */
export const organizationsRoutes = [organizationsRoute] as const;

export const organizationRoutes = [overviewRoute, settingsRoute, moveRoute] as const;
