import { ModalsProvider } from '@mantine/modals';
import { createRootRoute, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLanguage } from '../texts';
import { ConnectionNotice } from '../ui/connection-notice';
import { NotFoundPage } from '../ui/not-found-page';
import { ErrorPage } from '../ui/error-page';

export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

/** Above the dialogs of pages (200), below lists of options (300): a dialog that asks for the password can open while a page shows its own. */
const DIALOG_Z_INDEX = 250;

/** Renders dialogs inside the router, so that dialogs can contain links. */
function Root() {
  // `t` reads the texts during rendering, so a change of the language remounts the pages.
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <ModalsProvider key={language} modalProps={{ zIndex: DIALOG_Z_INDEX }}>
      <Outlet />
      <ConnectionNotice />
    </ModalsProvider>
  );
}
