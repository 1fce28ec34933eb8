import { redirect } from '@tanstack/react-router';
import { ApiProblem } from '../api/problem';
import { queryClient } from './query-client';
import { sessionQuery } from './session';

/** Redirects a user without a session to the sign-in page, which returns to this page. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    throw redirect({ href: `/account/sign-in?returnTo=${encodeURIComponent(location.href)}`, reloadDocument: true });
  }
}
