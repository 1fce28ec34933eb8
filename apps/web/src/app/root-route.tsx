import { ModalsProvider } from '@mantine/modals';
import { createRootRoute, Outlet } from '@tanstack/react-router';
import { NotFoundPage } from '../ui/not-found-page';
import { PageFailure } from '../ui/page-failure';

/** Above all pages. */
export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: PageFailure });

/** Dialogs belong to the pages: they may hold links and ask for the page's address. */
function Root() {
  return (
    <ModalsProvider>
      <Outlet />
    </ModalsProvider>
  );
}
