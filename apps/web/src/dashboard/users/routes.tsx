import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { membersSearchOf } from './members-search';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  component: lazyPage(() => import('./users-page'), 'UsersPage'),
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

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  validateSearch: membersSearchOf,
  component: lazyPage(() => import('./members-page'), 'MembersPage'),
});

export const userRoutes = [usersRoute, importRoute, userRoute, membersRoute] as const;
