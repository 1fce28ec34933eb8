import { localPage } from './return-to';

/** What leads to a page for signing in. All of it is optional, and anybody may have written it. */
export interface PageSearch {
  readonly organization?: string | undefined;
  /** Where to go on afterwards; a page of the dashboard or of the own account. */
  readonly returnTo?: string | undefined;
  /** Code of what went wrong elsewhere. */
  readonly error?: string | undefined;
}

const LONGEST_HANDLE = 63;

/** Reads the query of an address. */
export function pageSearch(query: string): PageSearch {
  const given = new URLSearchParams(query);
  return {
    organization: textOf(given.get('organization'))?.slice(0, LONGEST_HANDLE),
    returnTo: localPage(given.get('returnTo')),
    error: textOf(given.get('error')),
  };
}

const textOf = (value: string | null): string | undefined => value?.trim() || undefined;

/** The address of a page for signing in. */
export function pageAddress(path: string, { organization, returnTo, error }: PageSearch = {}): string {
  const given = Object.entries({ organization, returnTo, error }).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
