import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { returnedChallenge } from './challenge';
import { destinationFor, whoIsSignedIn } from './destination';
import { lastOrganization } from './last-organization';
import './link-token';
import { localPage } from './return-to';

/** What leads to the pages for signing in. All of it is optional, and anybody may have written it. */
interface EntrySearch {
  readonly organization?: string | undefined;
  /** Where to go on afterwards; one of these pages. */
  readonly returnTo?: string | undefined;
  /** Code of what went wrong elsewhere. */
  readonly error?: string | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of the account that a page before was about. */
    email?: string;
  }
}

const LONGEST_HANDLE = 63;

const entrySearch = (search: Record<string, unknown>): EntrySearch => ({
  organization: textOf(search['organization'])?.slice(0, LONGEST_HANDLE),
  returnTo: localPage(search['returnTo']),
  error: textOf(search['error']),
});

/** Numbers and the like come parsed. */
const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value).trim();

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/sign-in',
  validateSearch: entrySearch,
  beforeLoad: async ({ search, location }) => {
    if (returnedChallenge() === null && search.error === undefined) await goOnIfSignedIn(search, location.state.email);
    const last = lastOrganization();
    if (search.organization === undefined && last !== undefined) {
      throw redirect({ to: '/account/sign-in', search: { ...search, organization: last }, replace: true });
    }
  },
  component: lazyRouteComponent(() => import('./sign-in-page'), 'SignInPage'),
});

/** Whoever is signed in already has nothing to do on the page, unless it is for another organization or account. */
async function goOnIfSignedIn({ organization, returnTo }: EntrySearch, email: string | undefined): Promise<void> {
  const me = await whoIsSignedIn().catch(() => undefined);
  if (!me) return;
  const here = me.organizations.find(({ id }) => id === me.session.organizationId)?.slug;
  const isMeant = [undefined, here, me.session.organizationId].includes(organization) && [undefined, me.email].includes(email);
  if (isMeant) throw redirect({ href: destinationFor(me, returnTo) });
}

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/sign-up',
  validateSearch: entrySearch,
  component: lazyRouteComponent(() => import('./sign-up-page'), 'SignUpPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/forgot-password',
  validateSearch: entrySearch,
  component: lazyRouteComponent(() => import('./forgot-password-page'), 'ForgotPasswordPage'),
});

const mailedLinkPage = lazyRouteComponent(() => import('./mailed-link-page'), 'MailedLinkPage');

const acceptInvitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invitation',
  component: mailedLinkPage,
});
const resetPasswordRoute = createRoute({ getParentRoute: () => rootRoute, path: '/reset-password', component: mailedLinkPage });
const verifyEmailRoute = createRoute({ getParentRoute: () => rootRoute, path: '/verify-email', component: mailedLinkPage });

const cancelEmailChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cancel-email-change',
  component: mailedLinkPage,
});

/** Pages for those who are not signed in, and those that mails lead to. */
export const signInRoutes = [
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  acceptInvitationRoute,
  resetPasswordRoute,
  verifyEmailRoute,
  cancelEmailChangeRoute,
] as const;
