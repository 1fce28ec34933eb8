import { useSyncExternalStore } from 'react';
import { returnedChallenge } from './challenge';
import { destinationFor, whoIsSignedIn } from './destination';
import { lastOrganization } from './last-organization';
import { pageAddress, type PageSearch, pageSearch } from './page-address';

const SIGN_IN = '/account/sign-in';

interface Options {
  /** Of the account that the page before was about. */
  readonly email?: string | undefined;
  /** Replaces the page in the browser's history. */
  readonly replace?: boolean;
}

const listeners = new Set<() => void>();
window.addEventListener('popstate', () => void openCurrentPage());

/** Opens the page for signing in that the address names. Resolves to false when the browser leaves for another page instead. */
export function openCurrentPage(): Promise<boolean> {
  const { pathname, search } = window.location;
  // The service answers to these addresses, too.
  const path = pathname.replace(/\/$/, '').toLowerCase();
  return openPage(path, pageSearch(search), { email: emailOfHistory(), replace: true });
}

/** Opens a page for signing in without a request for it. Resolves to false when the browser leaves for another page instead. */
export async function openPage(
  path: string,
  search: PageSearch = {},
  { email, replace = false }: Options = {},
): Promise<boolean> {
  let given = search;
  if (path === SIGN_IN) {
    const destination = await destinationIfSignedIn(search, email);
    if (destination !== undefined) {
      window.location.replace(destination);
      return false;
    }
    given = { ...search, organization: search.organization ?? lastOrganization() };
  }
  window.history[replace ? 'replaceState' : 'pushState']({ email }, '', pageAddress(path, given));
  for (const listener of listeners) listener();
  return true;
}

/** Whoever is signed in already has nothing to do on the page, unless it is for another organization or account. */
async function destinationIfSignedIn(
  { organization, returnTo, error }: PageSearch,
  email: string | undefined,
): Promise<string | undefined> {
  if (returnedChallenge() !== null || error !== undefined) return undefined;
  const me = await whoIsSignedIn().catch(() => undefined);
  if (!me) return undefined;
  const here = me.organizations.find(({ id }) => id === me.session.organizationId)?.slug;
  const isMeant = [undefined, here, me.session.organizationId].includes(organization) && [undefined, me.email].includes(email);
  return isMeant ? destinationFor(me, returnTo) : undefined;
}

/** The path of the page that is shown. */
export const usePagePath = (): string => useSyncExternalStore(subscribe, () => window.location.pathname);

/** What the address of the page that is shown says. */
export const usePageSearch = (): PageSearch => pageSearch(useSyncExternalStore(subscribe, () => window.location.search));

/** Of the account that the page before was about; empty when it was about none. */
export const usePageEmail = (): string => useSyncExternalStore(subscribe, emailOfHistory) ?? '';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function emailOfHistory(): string | undefined {
  const { email } = (window.history.state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : undefined;
}
