import { api, type Schema, unwrap } from '../../api/client';
import { setChallenge, toChallenge } from './challenge';
import { destinationFor, loadMe } from './destination';
import { rememberOrganization } from './last-organization';
import { openPage } from './open-page';
import { rememberApplication } from './pending-application';

/** Loads the next page. The page load clears the memory and makes password managers offer to save the password. */
export async function completeSignIn(organization: string, returnTo: string | undefined): Promise<void> {
  rememberOrganization(organization);
  rememberApplication(undefined);
  window.location.assign(destinationFor(await loadMe(), returnTo));
}

/** Signs a user in who has just set a password with the link of an email. Opens the sign-in page if the user needs a second factor. */
export async function signInWithNewPassword(body: Schema<'LoginRequest'>, returnTo: string | undefined): Promise<void> {
  const { data } = await unwrap(api.POST('/v1/auth/login', { body }));
  if (!data.mfaRequired) return completeSignIn(body.organization, returnTo);
  setChallenge(toChallenge(data.challengeToken, data.methods ?? [], data.challengeExpiresAt));
  await openPage('/account/sign-in', { organization: body.organization });
}
