import { setNonce } from 'get-nonce';

/** The number of this answer that lets style elements made by the components pass the content security policy. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

setNonce(cspNonce);
