import { setNonce } from 'get-nonce';

/** The nonce of the content security policy, which the style elements of components need. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

setNonce(cspNonce);
