import { safeReturnTo } from './return-to';

/** The query of a sign-in page. All values are optional and untrusted. */
export interface PageSearch {
  readonly organization?: string | undefined;
  /** The page after the sign-in: a page of the dashboard or of the account. */
  readonly returnTo?: string | undefined;
  /** The error code of a failed sign-in at an identity provider. */
  readonly error?: string | undefined;
}

const ORGANIZATION_MAX_LENGTH = 63;

export function pageSearch(query: string): PageSearch {
  const parameters = new URLSearchParams(query);
  return {
    organization: textOf(parameters.get('organization'))?.slice(0, ORGANIZATION_MAX_LENGTH),
    returnTo: safeReturnTo(parameters.get('returnTo')),
    error: textOf(parameters.get('error')),
  };
}

const textOf = (value: string | null): string | undefined => value?.trim() || undefined;

export function pageAddress(path: string, { organization, returnTo, error }: PageSearch = {}): string {
  const entries = Object.entries({ organization, returnTo, error }).filter((entry): entry is [string, string] => !!entry[1]);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
