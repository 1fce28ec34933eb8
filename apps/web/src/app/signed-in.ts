import { redirect } from '@tanstack/react-router';
import { ApiProblem } from '../api/problem';
import { queryClient } from './query-client';
import { sessionQuery } from './session';

/** Before pages for people who are signed in: whoever is not is led to the sign-in, and back afterwards. */
export async function signedIn({ location }: { location: { href: string } }): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    throw redirect({ href: `/account/sign-in?returnTo=${encodeURIComponent(location.href)}`, reloadDocument: true });
  }
}
