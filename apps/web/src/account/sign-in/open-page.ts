import { useSyncExternalStore } from 'react';
import { redirectChallenge } from './challenge';
import { destinationFor, loadMe } from './destination';
import { lastOrganization } from './last-organization';
import { pageAddress, type PageSearch, pageSearch } from './page-address';

const SIGN_IN = '/account/sign-in';

interface Options {
  /** The email address entered on the previous page. */
  readonly email?: string | undefined;
  /** Whether to replace the current entry of the browser history. */
  readonly replace?: boolean;
}

const listeners = new Set<() => void>();
window.addEventListener('popstate', () => void openCurrentPage());

/** Opens the sign-in page of the current URL. Resolves to false when the browser redirects a signed-in user. */
export function openCurrentPage(): Promise<boolean> {
  const { pathname, search } = window.location;
  // The server accepts a trailing slash and uppercase letters.
  const path = pathname.replace(/\/$/, '').toLowerCase();
  return openPage(path, pageSearch(search), { email: emailOfHistory(), replace: true });
}

/** Opens a sign-in page without a page load. Resolves to false when the browser redirects a signed-in user. */
export async function openPage(
  path: string,
  search: PageSearch = {},
  { email, replace = false }: Options = {},
): Promise<boolean> {
  let completeSearch = search;
  if (path === SIGN_IN) {
    const destination = await destinationIfSignedIn(search, email);
    if (destination !== undefined) {
      window.location.replace(destination);
      return false;
    }
    completeSearch = { ...search, organization: search.organization ?? lastOrganization() };
  }
  window.history[replace ? 'replaceState' : 'pushState']({ email }, '', pageAddress(path, completeSearch));
  for (const listener of listeners) listener();
  return true;
}

/** Returns the page for a user who is already signed in to the organization with the email address, or undefined. */
async function destinationIfSignedIn(
  { organization, returnTo, error }: PageSearch,
  email: string | undefined,
): Promise<string | undefined> {
  if (redirectChallenge() !== null || error !== undefined) return undefined;
  const me = await loadMe().catch(() => undefined);
  if (!me) return undefined;
  const currentSlug = me.organizations.find(({ id }) => id === me.session.organizationId)?.slug;
  const isSameAccount =
    [undefined, currentSlug, me.session.organizationId].includes(organization) && [undefined, me.email].includes(email);
  return isSameAccount ? destinationFor(me, returnTo) : undefined;
}

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
