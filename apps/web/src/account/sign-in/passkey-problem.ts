import { type KeyUnder, t } from '../../texts';

type Problem = KeyUnder<'signIn.passkeyProblems'>;

/** The problems by the code of the library, which tells apart what browsers report. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  ERROR_CEREMONY_ABORTED: 'canceled',
  ERROR_INVALID_DOMAIN: 'address',
  ERROR_INVALID_RP_ID: 'address',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'registered',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'unsupported',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'verification',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'unsupported',
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'failed',
};

/** Returns why a passkey was not created or used, or undefined if the error does not come from the authenticator. */
export function passkeyProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) && !(error instanceof DOMException)) return undefined;
  const { code, name, cause } = error as { code?: unknown; name: string; cause?: unknown };
  const known = typeof code === 'string' ? PROBLEMS[code] : undefined;
  if (known !== undefined) return t(`signIn.passkeyProblems.${known}`);
  // Browsers report a cancellation, a timeout and a missing passkey alike, so that pages learn nothing about the user.
  if (name === 'NotAllowedError' || name === 'AbortError') return t('signIn.passkeyProblems.canceled');
  if (typeof code === 'string' && code.startsWith('ERROR_') && cause !== undefined)
    return passkeyProblem(cause) ?? t('signIn.passkeyProblems.failed');
  return error instanceof DOMException ? t('signIn.passkeyProblems.failed') : undefined;
}
