import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense, use } from 'react';
import { createRoot } from 'react-dom/client';
import { recoveryMiddleware } from './api/recovery-middleware';
import { api } from './api/client';
import { ApiProblem } from './api/problem';
import { cspNonce } from './app/csp-nonce';
import { registerOfflineWorker } from './app/offline-worker';
import { queryClient } from './app/query-client';
import { createPageRouter } from './app/router';
import { filterOptions } from './app/search';
import { sessionQuery } from './app/session';
import { readableColors, theme } from './app/theme';
import { bestLanguage, loadTexts, prepareFormatters, setCatalog } from './texts';
import { fullCatalog } from './texts/full-catalog';
import { ConnectionNotice } from './ui/connection-notice';
import { useFrameRemoval } from './ui/use-frame-removal';

// The dialogs are loaded on first use.
api.use(
  recoveryMiddleware({
    reauthentication_required: async () => (await import('./account/reauthentication/reauthenticate')).reauthenticate(),
    unauthenticated: async () => {
      // Without a session at the start, the page leads to the sign-in.
      if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) return false;
      const { signInAgain } = await import('./account/reauthentication/sign-in-again');
      if (await signInAgain()) return true;
      throw ApiProblem.sessionEnded();
    },
  }),
);

const searchable = { defaultProps: { filter: filterOptions } };
// Enter selects the first option that matches what was typed.
const selectable = { defaultProps: { filter: filterOptions, selectFirstOptionOnChange: true } };
const dashboardTheme = mergeThemeOverrides(theme, {
  components: {
    Select: selectable,
    MultiSelect: selectable,
    Autocomplete: searchable,
    // A click outside must not discard what the user typed.
    Modal: { defaultProps: { closeOnClickOutside: false } },
  },
});

setCatalog(fullCatalog);
await loadTexts(bestLanguage(navigator.languages));
const router = createPageRouter();
// The code of the page is loaded while the session is.
const [routes] = router.getMatchedRoutes(window.location.pathname);
for (const route of routes) void router.loadRouteChunk(route);
const firstPage = router.load();
setTimeout(prepareFormatters);
// After the page, because it takes requests of its own.
void firstPage.then(registerOfflineWorker);

/** Until the first page is loaded, the browser shows the frame of `index.html`. */
function Pages() {
  use(firstPage);
  useFrameRemoval();
  return <RouterProvider router={router} />;
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={dashboardTheme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <Suspense>
          <Pages />
        </Suspense>
        <ConnectionNotice />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
