import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { membersSearchOf } from './members-search';
import { userSearchOf } from './user-search';
import { usersSearchOf } from './users-search';

const pages = () => import('./pages');

const usersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'users',
  validateSearch: usersSearchOf,
  component: lazyPage(pages, 'UsersPage'),
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

const membersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'members',
  validateSearch: membersSearchOf,
  component: lazyPage(pages, 'MembersPage'),
});

export const userRoutes = [usersRoute, importRoute, userRoute, membersRoute] as const;
