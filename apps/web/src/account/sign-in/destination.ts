import { answerOf, api, type Schema } from '../../api/client';

export type Me = Schema<'MeResponse'>;

/** What belonging to an organization gives anyway; whoever may do more has something to do in the dashboard. */
const EVERY_MEMBERS_PERMISSIONS = new Set(['organizations:read', 'members:read']);

/** Who is signed in. @throws ApiProblem 401 when nobody is */
export const whoIsSignedIn = async (): Promise<Me> => (await answerOf(api.GET('/v1/auth/me'))).data;

/** Where to go on once somebody is signed in. A session that may only add a second factor does that first. */
export function destinationFor({ session, organizations }: Me, returnTo: string | undefined): string {
  if (session.mfaEnrolmentRequired) {
    return `/account/security?${new URLSearchParams({ enrol: '1', ...(returnTo ? { returnTo } : {}) })}`;
  }
  if (returnTo !== undefined) return returnTo;
  const mayAdminister = organizations.some(({ permissions }) =>
    permissions.some((permission) => !EVERY_MEMBERS_PERMISSIONS.has(permission)),
  );
  return mayAdminister ? '/dashboard' : '/account';
}
