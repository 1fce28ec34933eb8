import { api, type Schema, unwrap } from '../../api/client';

export type Me = Schema<'MeResponse'>;

/** The permissions of every member. Users with more permissions start in the dashboard. */
const MEMBER_PERMISSIONS = new Set(['organizations:read', 'members:read']);

/** Loads the signed-in user. @throws ApiProblem 401 without a session */
export const loadMe = async (): Promise<Me> => (await unwrap(api.GET('/v1/auth/me'))).data;

/** Returns the page after the sign-in. A session that must enroll a second factor goes to the security page first. */
export function destinationFor({ session, organizations }: Me, returnTo: string | undefined): string {
  if (session.mfaEnrolmentRequired) {
    return `/account/security?${new URLSearchParams({ enrol: '1', ...(returnTo ? { returnTo } : {}) })}`;
  }
  if (returnTo !== undefined) return returnTo;
  const canAdminister = organizations.some(({ permissions }) =>
    permissions.some((permission) => !MEMBER_PERMISSIONS.has(permission)),
  );
  return canAdminister ? '/dashboard' : '/account';
}
