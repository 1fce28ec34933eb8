import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { type AsOfSearch, asOfSearchOf } from '../as-of/as-of-search';
import { organizationRoute } from '../root-routes';

const pages = () => import('./pages');

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const rolesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'roles',
  validateSearch: (search: Record<string, unknown>): { search?: string } => ({ search: text(search['search']) }),
  component: lazyPage(pages, 'RolesPage'),
});

const newRoleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'roles/new',
  component: lazyPage(pages, 'NewRolePage'),
});

const roleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'roles/$roleId',
  component: lazyPage(pages, 'RolePage'),
});

const editRoleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'roles/$roleId/edit',
  component: lazyPage(pages, 'EditRolePage'),
});

interface PermissionCheckSearch extends AsOfSearch {
  readonly user?: string;
  readonly permission?: string;
}

const permissionCheckRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'permissions',
  validateSearch: (search: Record<string, unknown>): PermissionCheckSearch => ({
    user: text(search['user']),
    permission: text(search['permission']),
    ...asOfSearchOf(search),
  }),
  component: lazyPage(pages, 'PermissionCheckPage'),
});

export const accessRoutes = [rolesRoute, newRoleRoute, roleRoute, editRoleRoute, permissionCheckRoute] as const;
