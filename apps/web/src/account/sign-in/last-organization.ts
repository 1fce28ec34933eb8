const KEY = 'sign-in.organization';

/** The slug of the organization that was signed in to last in this browser; no secret, and all that is remembered. */
export function lastOrganization(): string | undefined {
  try {
    return window.localStorage.getItem(KEY) ?? undefined;
  } catch {
    // Storage may be switched off.
    return undefined;
  }
}

/** Remembers the organization for the next sign-in; without one forgets the last. */
export function rememberOrganization(slug: string | undefined): void {
  try {
    if (slug === undefined) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, slug);
  } catch {
    // Then it is asked for again.
  }
}
