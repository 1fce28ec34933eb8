import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { t } from '../../texts';

/** Signs a challenge with a passkey. @throws Error when the user cancels or the browser does not support passkeys */
export async function signWithPasskey(publicKey: object): Promise<Record<string, unknown>> {
  // Loaded on demand, because most sign-ins do not use a passkey.
  const { browserSupportsWebAuthn, startAuthentication, WebAuthnError } = await import('@simplewebauthn/browser');
  if (!browserSupportsWebAuthn()) throw new Error(t('signIn.problems.passkeyUnsupported'));
  try {
    const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  } catch (cause) {
    const isKnown =
      cause instanceof WebAuthnError || cause instanceof DOMException || (cause as Error).name === 'NotAllowedError';
    throw isKnown ? new Error(t('signIn.problems.passkeyAborted'), { cause }) : cause;
  }
}
