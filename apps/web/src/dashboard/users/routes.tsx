import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const pages = () => import('./pages');

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  component: lazyPage(pages, 'PeoplePage'),
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
