import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { t } from '../../texts';
import { passkeyProblem } from './passkey-problem';

/** Signs a challenge with a passkey. @throws Error when the user cancels or the browser does not support passkeys */
export async function signWithPasskey(publicKey: object): Promise<Record<string, unknown>> {
  // Loaded on demand, because most sign-ins do not use a passkey.
  const { browserSupportsWebAuthn, startAuthentication } = await import('@simplewebauthn/browser');
  if (!browserSupportsWebAuthn()) throw new Error(t('signIn.problems.passkeyUnsupported'));
  try {
    const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  } catch (cause) {
    const problem = passkeyProblem(cause);
    throw problem === undefined ? cause : new Error(problem, { cause });
  }
}
