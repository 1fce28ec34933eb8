import { ModalsProvider } from '@mantine/modals';
import { createRootRoute, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLanguage } from '../texts';
import { NotFoundPage } from '../ui/not-found-page';
import { PageFailure } from '../ui/page-failure';

/** Above all pages. */
export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: PageFailure });

/** Dialogs belong to the pages: they may hold links and ask for the page's address. */
function Root() {
  // Texts are read while rendering, so everything renders anew in another language.
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <ModalsProvider key={language}>
      <Outlet />
    </ModalsProvider>
  );
}
