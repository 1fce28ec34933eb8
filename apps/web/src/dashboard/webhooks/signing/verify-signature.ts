import { type Check, type VerificationHints, timeCheck, type Verdict } from './verdict';
import { firstDifference, readSignatures, type Signatures } from './signature-headers';

/** The received request and the secret of the receiver. */
export interface ReceivedRequest {
  readonly headers: string;
  readonly body: string;
  readonly secret: string;
  readonly nowSeconds: number;
}

const SECRET_PREFIX = 'whsec_';
/** The base64 format that the reference library of Standard Webhooks accepts. */
const BASE64_KEY = /^(?=.{4})[A-Za-z0-9+/]+={0,2}$/;

interface SignatureMatch {
  readonly own: boolean;
  readonly standard: boolean;
}

/** Verifies a signature and finds the likely cause of an invalid signature. No data leaves the browser. */
export async function verifySignature(received: ReceivedRequest, hints: VerificationHints = {}): Promise<Verdict> {
  const signatures = readSignatures(received.headers);
  if (signatures === 'none' || signatures === 'unreadable') {
    const name = signatures === 'none' ? 'no_signature' : 'unreadable';
    return { name, isValid: false, checks: [] };
  }
  const fit = await matchSignatures(signatures, received.secret, received.body);
  const ageSeconds = Math.round(received.nowSeconds - Number(signatures.timestamp));
  const checks = toChecks(signatures, fit, ageSeconds);
  if (signatures.own ? fit.own : fit.standard) {
    const name = timeCheck(ageSeconds) === 'old' ? 'valid_old' : timeCheck(ageSeconds) === 'early' ? 'valid_early' : 'valid';
    return { name, isValid: true, checks };
  }
  if (fit.standard) return { name: 'secret_next', isValid: false, checks };
  return { ...(await findCause(signatures, received, hints)), isValid: false, checks };
}

/** Tries common mistakes. The mistake for which the signature is valid is the cause. */
async function findCause(
  signatures: Signatures,
  { secret, body }: ReceivedRequest,
  { maskedSecret, sentBody }: VerificationHints,
): Promise<Pick<Verdict, 'name' | 'detail'>> {
  const matches = async (otherSecret: string, otherBody: string) => {
    const { own, standard } = await matchSignatures(signatures, otherSecret, otherBody);
    return own || standard;
  };
  for (const [name, otherBody] of bodyVariants(body))
    if (otherBody !== body && (await matches(secret, otherBody))) return { name };
  if (secret.trim() !== secret && (await matches(secret.trim(), body))) return { name: 'secret_space' };
  if (await matches(SECRET_PREFIX + secret, body)) return { name: 'secret_prefix' };
  if (sentBody !== undefined) {
    if (sentBody === body) return { name: 'secret_wrong_sent' };
    if (await matches(secret, sentBody))
      return { name: 'body_changed_at', detail: { position: firstDifference(body, sentBody) } };
  }
  const secretEnd = maskedSecret?.split('…')[1] ?? '';
  if (secretEnd === '') return { name: 'unclear' };
  return secret.endsWith(secretEnd) ? { name: 'body_changed' } : { name: 'secret_wrong', detail: { tail: secretEnd } };
}

function bodyVariants(body: string): readonly (readonly ['body_newline' | 'body_crlf' | 'body_reformatted', string])[] {
  const lines = body.replaceAll('\r\n', '\n');
  return [
    ['body_newline', body.trim()],
    ['body_newline', `${body}\n`],
    ['body_crlf', lines],
    ['body_crlf', lines.replaceAll('\n', '\r\n')],
    ['body_reformatted', compactJson(body)],
  ];
}

function compactJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    // A body that is not JSON was not reformatted.
    return body;
  }
}

async function matchSignatures({ own, standard, timestamp }: Signatures, secret: string, body: string): Promise<SignatureMatch> {
  const ownHmac = await hmac(new TextEncoder().encode(secret), `${timestamp}.${body}`);
  const standardHmac = standard && (await hmac(standardKey(secret), `${standard.id}.${standard.timestamp}.${body}`));
  return {
    own: own !== undefined && own.hex.includes([...ownHmac].map((byte) => byte.toString(16).padStart(2, '0')).join('')),
    standard: standardHmac !== undefined && standard!.base64.includes(btoa(String.fromCharCode(...standardHmac))),
  };
}

async function hmac(key: Uint8Array<ArrayBuffer>, message: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(message)));
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  if (!BASE64_KEY.test(encoded)) return new TextEncoder().encode(secret);
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    // `atob` rejects some texts that match the pattern.
    return new TextEncoder().encode(secret);
  }
}

function toChecks({ own, standard, isStandardIncomplete }: Signatures, fit: SignatureMatch, ageSeconds: number): Check[] {
  return [
    { kind: 'timestamp', ageSeconds, isGood: timeCheck(ageSeconds) === 'good' },
    own ? { kind: 'own', headerName: own.headerName, isGood: fit.own } : { kind: 'own', isGood: false, isAbsent: true },
    standard
      ? { kind: 'standard', isGood: fit.standard }
      : { kind: 'standard', isGood: false, ...(isStandardIncomplete ? { isIncomplete: true } : { isAbsent: true }) },
  ];
}
