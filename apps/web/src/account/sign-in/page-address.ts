import { safeReturnTo } from './return-to';

/** The query of a sign-in page. All values are optional and untrusted. */
export interface PageSearch {
  readonly organization?: string | undefined;
  /** The page after the sign-in: a page of the dashboard or of the account. */
  readonly returnTo?: string | undefined;
  /** An error code of a failed sign-in elsewhere. */
  readonly error?: string | undefined;
}

const ORGANIZATION_MAX_LENGTH = 63;

/** Parses the query of a URL. */
export function pageSearch(query: string): PageSearch {
  const given = new URLSearchParams(query);
  return {
    organization: textOf(given.get('organization'))?.slice(0, ORGANIZATION_MAX_LENGTH),
    returnTo: safeReturnTo(given.get('returnTo')),
    error: textOf(given.get('error')),
  };
}

const textOf = (value: string | null): string | undefined => value?.trim() || undefined;

/** Returns the URL of a sign-in page. */
export function pageAddress(path: string, { organization, returnTo, error }: PageSearch = {}): string {
  const given = Object.entries({ organization, returnTo, error }).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
