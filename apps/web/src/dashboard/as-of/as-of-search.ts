/** The past moment that a page shows. Absent for the present. */
export interface AsOfSearch {
  /** An ISO 8601 time. */
  readonly asOf?: string;
  /** Whether the page compares the moment with the present. */
  readonly compare?: true;
}

/** Parses the query of a page. Ignores texts that are no time; the API rejects other invalid moments. */
export function asOfSearchOf({ asOf, compare }: Record<string, unknown>): AsOfSearch {
  if (typeof asOf !== 'string' || Number.isNaN(Date.parse(asOf))) return { asOf: undefined, compare: undefined };
  return { asOf, compare: compare === true ? true : undefined };
}

/** The part of a query key that separates responses as of a moment from present responses. */
export const asOfKey = (asOf: string | undefined): readonly string[] => (asOf === undefined ? [] : ['asOf', asOf]);

/** Adds the past moment to the path of a link, so that the next page shows the same moment. */
export const withAsOf = (path: string, asOf: string | undefined): string =>
  asOf === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}asOf=${encodeURIComponent(asOf)}`;
