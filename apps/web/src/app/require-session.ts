import { redirect } from '@tanstack/react-router';
import { ApiProblem } from '../api/problem';
import { queryClient } from './query-client';
import { sessionQuery } from './session';

const isSignedOut = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401;
const loadSession = () => queryClient.ensureQueryData(sessionQuery);

/** Redirects a user without a session to the sign-in page, which returns to this page. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  try {
    // When an impersonation has ended, the first response deletes its cookie, and the own session continues.
    await loadSession().catch((error: unknown) => (isSignedOut(error) ? loadSession() : Promise.reject(error)));
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    throw redirect({ href: `/account/sign-in?returnTo=${encodeURIComponent(location.href)}`, reloadDocument: true });
  }
}
