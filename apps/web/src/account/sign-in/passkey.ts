import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { t } from '../../texts';

/** Has the browser sign with a passkey. @throws Error with advice when the person did not, or the browser can't */
export async function signWithPasskey(publicKey: object): Promise<Record<string, unknown>> {
  // Few sign-ins need it.
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
