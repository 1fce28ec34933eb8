import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { pagingIn, type Paging } from '../../ui/paging';
import { organizationRoute } from '../root-routes';
import { textIn } from '../users/search-values';

const pages = () => import('./pages');

interface ListSearch extends Paging {
  readonly search?: string;
}

const listSearchOf = (raw: Record<string, unknown>): ListSearch => ({ search: textIn(raw, 'search'), ...pagingIn(raw) });

const groupsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'groups',
  validateSearch: listSearchOf,
  component: lazyPage(pages, 'GroupsPage'),
});

/** `search` and `page` are those of the list of members. */
const groupRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'groups/$groupId',
  validateSearch: listSearchOf,
  component: lazyPage(pages, 'GroupPage'),
});

export const groupRoutes = [groupsRoute, groupRoute] as const;
