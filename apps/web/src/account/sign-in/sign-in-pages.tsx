import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useLanguage } from '../../texts';
import { FailureBoundary } from './failure-boundary';
import { usePagePath } from './open-page';
import { SignInPage } from './sign-in-page';

const ForgotPasswordPage = lazy(async () => ({ default: (await import('./forgot-password-page')).ForgotPasswordPage }));
const MailedLinkPage = lazy(async () => ({ default: (await import('./mailed-link-page')).MailedLinkPage }));
const SignUpPage = lazy(async () => ({ default: (await import('./sign-up-page')).SignUpPage }));

/** The same list as in `apps/server/src/web/pages.ts`. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  '/account/sign-in': SignInPage,
  '/account/sign-up': SignUpPage,
  '/account/forgot-password': ForgotPasswordPage,
  '/accept-invitation': MailedLinkPage,
  '/reset-password': MailedLinkPage,
  '/verify-email': MailedLinkPage,
  '/cancel-email-change': MailedLinkPage,
};

/** The pages for users without a session, and the pages of emailed links. */
export function SignInPages() {
  const path = usePagePath();
  // `t` reads the texts during rendering, so a change of the language remounts the pages.
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const Page = PAGES[path] ?? SignInPage;
  return (
    <FailureBoundary key={`${language} ${path}`}>
      <Suspense>
        <Page />
      </Suspense>
    </FailureBoundary>
  );
}
