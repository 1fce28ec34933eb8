import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../root-routes';
import { membersSearchOf } from './members-search';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  component: lazyRouteComponent(() => import('./users-page'), 'UsersPage'),
});

const importRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/import',
  component: lazyRouteComponent(() => import('./import-page'), 'ImportPage'),
});

const userRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users/$userId',
  validateSearch: userSearchOf,
  component: lazyRouteComponent(() => import('./user-page'), 'UserPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  validateSearch: membersSearchOf,
  component: lazyRouteComponent(() => import('./members-page'), 'MembersPage'),
});

export const userRoutes = [usersRoute, importRoute, userRoute, membersRoute] as const;
