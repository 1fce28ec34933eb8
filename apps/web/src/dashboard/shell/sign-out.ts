import { apiWithoutDialogs, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { Session } from '../../app/session';

/** Signs out. An impersonator returns to the own session, which has a cookie of its own. */
export async function signOut(session: Session | undefined): Promise<void> {
  await unwrap(apiWithoutDialogs.POST('/v1/auth/logout')).catch(ignoreEndedSession);
  window.location.assign(session?.user?.session.impersonator ? '/dashboard' : '/account/sign-in');
}

function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
}
