import type { OneTimeToken } from '#directory/sessions';

/** A requested email address, and the session of the request. The change of the address ends all other sessions. */
export interface NewAddress {
  readonly email: string;
  readonly sessionId: string;
}

/** Returns the text that the token of an email change is bound to. Email addresses contain no spaces. */
export const bindingOf = ({ sessionId, email }: NewAddress): string => `${sessionId} ${email}`;

export function newAddressOf({ boundTo }: Pick<OneTimeToken, 'boundTo'>): NewAddress {
  const [sessionId = '', email = ''] = (boundTo ?? '').split(' ');
  return { sessionId, email };
}
