import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reauthenticationMiddleware } from './api/reauthentication-middleware';
import { api } from './api/client';
import { cspNonce } from './app/csp-nonce';
import { queryClient } from './app/query-client';
import { router } from './app/router';
import { filterOptions } from './app/search';
import { readableColors, theme } from './app/theme';
import { bestLanguage, loadTexts, setCatalog } from './texts';
import { fullCatalog } from './texts/full-catalog';

// The dialog is loaded on first use.
api.use(reauthenticationMiddleware(async () => (await import('./account/reauthentication/reauthenticate')).reauthenticate()));

const searchable = { defaultProps: { filter: filterOptions } };
const dashboardTheme = mergeThemeOverrides(theme, {
  components: { Select: searchable, MultiSelect: searchable, Autocomplete: searchable },
});

setCatalog(fullCatalog);
await loadTexts(bestLanguage(navigator.languages));

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
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
