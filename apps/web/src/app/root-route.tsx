import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Fragment, useEffect } from 'react';
import { useLanguage } from '../texts';
import { DialogStack } from '../ui/dialog-stack';
import { NotFoundPage } from '../ui/not-found-page';
import { ErrorPage } from '../ui/error-page';

export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

/** Renders dialogs inside the router, so that dialogs can contain links. */
function Root() {
  // `t` reads the texts during rendering, so a change of the language remounts the pages.
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <Fragment key={language}>
      <Outlet />
      <DialogStack />
    </Fragment>
  );
}
