import { createRoute, redirect } from '@tanstack/react-router';
import { loadFirst, prefetchAll } from '../../app/first-page';
import { lazyPage } from '../../app/lazy-page';
import { queryClient } from '../../app/query-client';
import { covers, permissionsQuery } from '../permissions';
import { organizationRoute } from '../root-routes';
import { rolesQuery, usersQuery } from './user-queries';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const pages = () => import('./pages');
const firstPages = () => import('../first-pages');

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { org }, deps }) =>
    loadFirst(async () => {
      const permissions = await queryClient.ensureQueryData(permissionsQuery(org));
      await prefetchAll([
        { ...usersQuery(org, deps), enabled: covers(permissions, 'users:read') },
        { ...rolesQuery(org), enabled: covers(permissions, 'roles:read') },
      ]);
    }),
  component: lazyPage(firstPages, 'PeoplePage'),
});

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/import',
  component: lazyPage(pages, 'ImportPage'),
});

const userRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/$userId',
  validateSearch: userSearchOf,
  component: lazyPage(pages, 'UserPage'),
});

/** The previous page of members. */
const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  validateSearch: usersSearchOf,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/dashboard/organizations/$org/users', params, search });
  },
});

export const userRoutes = [usersRoute, importRoute, userRoute, membersRoute] as const;
