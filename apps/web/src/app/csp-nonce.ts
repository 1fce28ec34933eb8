import { setNonce } from 'get-nonce';

/** The nonce of the content security policy. Style elements of the components need it. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

setNonce(cspNonce);
