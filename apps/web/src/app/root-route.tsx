import { createRootRoute, Outlet } from '@tanstack/react-router';
import { NotFoundPage } from '../ui/not-found-page';
import { PageFailure } from '../ui/page-failure';

/** Above all pages. */
export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: PageFailure });
