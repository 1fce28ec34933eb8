const OWN_PREFIXES = {
  user: 'usr',
  organization: 'org',
  role: 'role',
  webhook: 'wh',
  event: 'evt',
  delivery: 'dlv',
  attempt: 'att',
  apiKey: 'key',
  session: 'ses',
  operatorSession: 'ops',
  identityProvider: 'idp',
  invitation: 'inv',
  passkey: 'pky',
  oneTimeToken: 'ott',
  breakGlassRequest: 'bgr',
  impersonation: 'imp',
  message: 'msg',
  request: 'req',
} as const;

/** The kinds of resources. Libraries add kinds with `declare module '#platform/common'` and `defineIdPrefix`. */
export interface ResourceKinds extends Record<keyof typeof OWN_PREFIXES, string> {}

export type ResourceKind = keyof ResourceKinds;

/** Every kind of resource and its ID prefix (TypeID: `<prefix>_<base32 of a UUIDv7>`, ordered in time). */
export const ID_PREFIXES = { ...OWN_PREFIXES } as Readonly<Record<ResourceKind, string>>;

/** Defines the ID prefix of a kind of resources. @throws Error if the prefix is malformed or belongs to another kind */
export function defineIdPrefix(kind: ResourceKind, prefix: string): void {
  if (!/^[a-z]{2,5}$/.test(prefix)) throw new Error(`The ID prefix "${prefix}" must have 2 to 5 lowercase letters.`);
  const owner = Object.entries(ID_PREFIXES).find(([name, existing]) => name !== kind && existing === prefix);
  if (owner) throw new Error(`The ID prefix "${prefix}" already belongs to the kind "${owner[0]}".`);
  (ID_PREFIXES as Record<ResourceKind, string>)[kind] = prefix;
}

/** A camelCase text in snake_case: `api_key` for `apiKey`. */
export type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;
