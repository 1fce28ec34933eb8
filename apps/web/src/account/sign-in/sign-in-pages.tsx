import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useLanguage } from '../../texts';
import { useFrameRemoval } from '../../ui/use-frame-removal';
import { ApplicationContext, useLoadedApplication } from './application';
import { ErrorBoundary } from './error-boundary';
import { usePagePath } from './open-page';
import { SignInPage } from './sign-in-page';

const AuthorizePage = lazy(async () => ({ default: (await import('./authorize/authorize-page')).AuthorizePage }));
const DevicePage = lazy(async () => ({ default: (await import('./device/device-page')).DevicePage }));
const ForgotPasswordPage = lazy(async () => ({ default: (await import('./forgot-password-page')).ForgotPasswordPage }));
const EmailLinkPage = lazy(async () => ({ default: (await import('./email-link-page')).EmailLinkPage }));
const RequestOver = lazy(async () => ({ default: (await import('./request-over')).RequestOver }));
const SignOutPage = lazy(async () => ({ default: (await import('./sign-out-page')).SignOutPage }));
const SignUpPage = lazy(async () => ({ default: (await import('./sign-up-page')).SignUpPage }));

/** The paths must match `apps/server/src/web/pages.ts`. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  '/account/sign-in': SignInPage,
  '/account/sign-up': SignUpPage,
  '/account/forgot-password': ForgotPasswordPage,
  '/account/authorize': AuthorizePage,
  '/account/sign-out': SignOutPage,
  '/device': DevicePage,
  '/accept-invitation': EmailLinkPage,
  '/reset-password': EmailLinkPage,
  '/verify-email': EmailLinkPage,
  '/cancel-email-change': EmailLinkPage,
};

/** The pages for users without a session, the pages of emailed links, and the questions of applications. */
export function SignInPages() {
  useFrameRemoval();
  const path = usePagePath();
  const { application, isOver } = useLoadedApplication();
  // `t` reads the texts during rendering, so a change of the language remounts the pages.
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const Page = isOver ? RequestOver : (PAGES[path] ?? SignInPage);
  return (
    <ErrorBoundary key={`${language} ${path}`}>
      <ApplicationContext value={application}>
        <Suspense>
          <Page />
        </Suspense>
      </ApplicationContext>
    </ErrorBoundary>
  );
}
