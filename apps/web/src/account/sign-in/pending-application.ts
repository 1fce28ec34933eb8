import { api } from '../../api/client';
import { interactionOf } from './return-to';

const KEY = 'sign-in.application';
/** An authorization request ends after this time. */
const LIFETIME_MS = 3_600_000;

/**
 * Stores the application that waits for the sign-in of this browser, for ways that lose it: the link of an email, which opens in another tab,
 * and an identity provider that fails. Without an application, forgets the last one.
 */
export function rememberApplication(returnTo: string | undefined): void {
  try {
    if (interactionOf(returnTo) === undefined) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, JSON.stringify({ returnTo, until: Date.now() + LIFETIME_MS }));
  } catch {
    // Without stored data, the user starts again in the application.
  }
}

/** Returns the way back to the application that waits in this browser, unless its request is over. */
export async function pendingApplication(): Promise<string | undefined> {
  const returnTo = storedApplication();
  const id = interactionOf(returnTo);
  if (id === undefined) return undefined;
  const { response } = await api.GET('/v1/oauth/interactions/{id}/application', { params: { path: { id } } });
  return response.ok ? returnTo : undefined;
}

function storedApplication(): string | undefined {
  try {
    const { returnTo, until } = JSON.parse(window.localStorage.getItem(KEY) ?? '{}') as { returnTo?: string; until?: number };
    return Number(until) > Date.now() ? returnTo : undefined;
  } catch {
    return undefined;
  }
}
