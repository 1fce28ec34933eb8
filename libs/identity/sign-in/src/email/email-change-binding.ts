import type { OneTimeToken } from '#directory/sessions';

/** A new address, and the session in which it was asked for: the one that goes on when the address is confirmed. */
export interface NewAddress {
  readonly email: string;
  readonly sessionId: string;
}

/** What the token of an e-mail change is bound to, as one text. Addresses hold no spaces. */
export const bindingOf = ({ sessionId, email }: NewAddress): string => `${sessionId} ${email}`;

/** Reads what `bindingOf` wrote. */
export function newAddressOf({ boundTo }: Pick<OneTimeToken, 'boundTo'>): NewAddress {
  const [sessionId = '', email = ''] = (boundTo ?? '').split(' ');
  return { sessionId, email };
}
