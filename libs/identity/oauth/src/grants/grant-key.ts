/** Where a code or token comes from: a grant, and one sign-in with it. */
export interface GrantKey {
  readonly tenantId: string;
  readonly grantId: string;
  /** The sign-in at the client. All its tokens end together, for example when one is used twice; other devices of the user go on. */
  readonly signInId: string;
}

const SEPARATOR = '.';

/** The id of a grant in the library, which has one grant for each sign-in. */
export const grantKeyText = ({ tenantId, grantId, signInId }: GrantKey): string => [tenantId, grantId, signInId].join(SEPARATOR);

export function parseGrantKey(text: string | undefined): GrantKey | undefined {
  const [tenantId, grantId, signInId, ...rest] = text?.split(SEPARATOR) ?? [];
  return tenantId && grantId && signInId && rest.length === 0 ? { tenantId, grantId, signInId } : undefined;
}
