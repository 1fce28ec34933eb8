import { interactionOf } from './return-to';

const KEY = 'sign-in.application';
/** An authorization request ends after this time. */
const LIFETIME_MS = 3_600_000;

/**
 * Stores the application that waits, for ways that lose it: the link of an email, which opens in another tab, and an identity provider that
 * fails. Other targets are not stored.
 */
export function rememberApplication(returnTo: string | undefined): void {
  const interaction = interactionOf(returnTo);
  if (interaction === undefined) return;
  try {
    window.localStorage.setItem(KEY, JSON.stringify({ returnTo, until: Date.now() + LIFETIME_MS }));
  } catch {
    // Without stored data, the user starts again in the application.
  }
}

/** Returns the application that waits in this browser, and forgets it. */
export function takeApplication(): string | undefined {
  try {
    const { returnTo, until } = JSON.parse(window.localStorage.getItem(KEY) ?? '{}') as { returnTo?: string; until?: number };
    window.localStorage.removeItem(KEY);
    return interactionOf(returnTo) !== undefined && Number(until) > Date.now() ? returnTo : undefined;
  } catch {
    return undefined;
  }
}
