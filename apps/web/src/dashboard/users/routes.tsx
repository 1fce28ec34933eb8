import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  component: lazyPage(() => import('./people-page'), 'PeoplePage'),
});

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/import',
  component: lazyPage(() => import('./import-page'), 'ImportPage'),
});

const userRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/$userId',
  validateSearch: userSearchOf,
  component: lazyPage(() => import('./user-page'), 'UserPage'),
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
