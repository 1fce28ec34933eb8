const KEY = 'sign-in.organization';

/** Returns the slug of the organization of the last sign-in in this browser. */
export function lastOrganization(): string | undefined {
  try {
    return window.localStorage.getItem(KEY) ?? undefined;
  } catch {
    // The user can disable the storage of the browser.
    return undefined;
  }
}

/** Stores the organization for the next sign-in. Undefined removes the stored organization. */
export function rememberOrganization(slug: string | undefined): void {
  try {
    if (slug === undefined) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, slug);
  } catch {
    // Without stored data, the next sign-in asks for the organization.
  }
}
