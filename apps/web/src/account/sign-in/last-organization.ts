const KEY = 'sign-in.organization';

/** Returns the slug of the organization of the last sign-in in this browser. */
export function lastOrganization(): string | undefined {
  try {
    return window.localStorage.getItem(KEY) ?? undefined;
  } catch {
    // The user can disable storage.
    return undefined;
  }
}

/** Stores the organization for the next sign-in. Undefined removes the stored organization. */
export function rememberOrganization(slug: string | undefined): void {
  try {
    if (slug === undefined) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, slug);
  } catch {
    // Without storage, the next sign-in asks for the organization.
  }
}
