import { api, unwrap } from '../../api/client';
import type { Session } from '../../app/session';

/** Signs out. An impersonator returns to the own session, which has a cookie of its own. */
export async function signOut(session: Session | undefined): Promise<void> {
  await unwrap(api.POST('/v1/auth/logout'));
  window.location.assign(session?.user?.session.impersonator ? '/dashboard' : '/account/sign-in');
}
