import './styles.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cspNonce } from '../../app/csp-nonce';
import { readableColors, theme } from '../../app/theme';
import { bestLanguage, loadTexts, setCatalog } from '../../texts';
import { signInCatalog } from '../../texts/sign-in-catalog';
// Reads the token before the router changes the URL. The page of the link is loaded later.
import './link-token';
import { openCurrentPage } from './open-page';
import { preferredLanguages } from './preferred-languages';
import { SignInPages } from './sign-in-pages';

setCatalog(signInCatalog);
// Not in the module of `openCurrentPage`: the dashboard can load it, too, and must not handle its own history with it.
window.addEventListener('popstate', () => void openCurrentPage());

const [isOpen] = await Promise.all([openCurrentPage(), loadTexts(bestLanguage(preferredLanguages()))]);

if (isOpen)
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColors}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
        getStyleNonce={() => cspNonce}
      >
        <SignInPages />
      </MantineProvider>
    </StrictMode>,
  );
