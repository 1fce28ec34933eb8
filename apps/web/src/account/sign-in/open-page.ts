import { useSyncExternalStore } from 'react';
import { redirectChallenge } from './challenge';
import { destinationFor, loadMe, type Me } from './destination';
import { lastOrganization } from './last-organization';
import { isLinkPage } from './link-token';
import { flowOf, pageAddress, type PageSearch, pageSearch } from './page-address';
import { pendingApplication, rememberApplication } from './pending-application';

const SIGN_IN = '/account/sign-in';

interface Options {
  /** The email address entered on the previous page. */
  readonly email?: string | undefined;
  /** Whether to replace the current entry of the browser history. */
  readonly replace?: boolean;
}

const listeners = new Set<() => void>();

/** Opens the sign-in page of the current URL. Resolves to false when the browser redirects a signed-in user. */
export async function openCurrentPage(): Promise<boolean> {
  const { pathname, search } = window.location;
  // The server accepts a trailing slash and uppercase letters.
  const path = pathname.replace(/\/$/, '').toLowerCase();
  const page = pageSearch(search);
  // Neither the link of an email nor an identity provider that fails returns the application.
  const losesApplication = isLinkPage(path) || page.error !== undefined;
  const returnTo = page.returnTo ?? (losesApplication ? await pendingApplication().catch(() => undefined) : undefined);
  return openPage(path, { ...page, returnTo }, { email: emailOfHistory() ?? emailOfQuery(search), replace: true });
}

/**
 * Opens a sign-in page of the same sign-in without a page load. Resolves to false when the browser redirects a signed-in user.
 */
export async function openPage(
  path: string,
  search: PageSearch = {},
  { email, replace = false }: Options = {},
): Promise<boolean> {
  const target = { ...flowOf(pageSearch(window.location.search)), ...search };
  const isSignIn = path === SIGN_IN;
  const me = isSignIn && !isUnfinished(target) ? await loadMe().catch(() => undefined) : undefined;
  const destination = me && destinationIfSignedIn(me, target, email);
  if (destination !== undefined) {
    rememberApplication(undefined);
    window.location.replace(destination);
    return false;
  }
  const isAgain = me !== undefined && target.reauthenticate !== undefined && email === undefined;
  const organization = target.organization ?? (isAgain ? currentSlugOf(me) : isSignIn ? lastOrganization() : undefined);
  rememberApplication(target.returnTo);
  const address = pageAddress(path, { ...target, organization });
  window.history[replace ? 'replaceState' : 'pushState']({ email: isAgain ? me.email : email }, '', address);
  for (const listener of listeners) listener();
  return true;
}

/** Returns whether the page continues a sign-in at an identity provider. */
const isUnfinished = ({ error }: PageSearch): boolean => redirectChallenge() !== null || error !== undefined;

/** Returns the page for a user who is already signed in to the organization with the email address, or undefined. */
function destinationIfSignedIn(
  me: Me,
  { organization, returnTo, reauthenticate }: PageSearch,
  email: string | undefined,
): string | undefined {
  const isSameAccount =
    [undefined, currentSlugOf(me), me.session.organizationId].includes(organization) && [undefined, me.email].includes(email);
  return isSameAccount && reauthenticate === undefined ? destinationFor(me, returnTo) : undefined;
}

const currentSlugOf = ({ organizations, session }: Me): string | undefined =>
  organizations.find(({ id }) => id === session.organizationId)?.slug;

export const usePagePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);

export const usePageSearch = (): PageSearch => pageSearch(useSyncExternalStore(subscribe, () => window.location.search));

/** Returns the email address entered on the previous page, or an empty string. */
export const usePageEmail = (): string => useSyncExternalStore(subscribe, emailOfHistory) ?? '';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function emailOfHistory(): string | undefined {
  const { email } = (window.history.state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : undefined;
}

/** Returns the email address that an application or a link in an email knows. It moves from the URL to the history. */
function emailOfQuery(search: string): string | undefined {
  const email = new URLSearchParams(search).get('email')?.trim() ?? '';
  return email.includes('@') ? email : undefined;
}
