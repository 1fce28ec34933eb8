/** The prefixes of codes and tokens, which say what they are: to this service, to the people who find one, and to scanners for secrets. */
export const TOKEN_PREFIXES: Readonly<Record<string, string>> = {
  AuthorizationCode: 'oac_',
  AccessToken: 'oat_',
  ClientCredentials: 'occ_',
  RefreshToken: 'ort_',
  DeviceCode: 'odc_',
};

const RANDOM_PART = /^[\w-]{43}$/;

/** Returns whether a text has the form of a code or token of a kind. Saves a query for everything else. Kinds without a prefix have any form. */
export function isTokenOf(kind: string, text: string): boolean {
  const prefix = TOKEN_PREFIXES[kind];
  return prefix === undefined || (text.startsWith(prefix) && RANDOM_PART.test(text.slice(prefix.length)));
}
