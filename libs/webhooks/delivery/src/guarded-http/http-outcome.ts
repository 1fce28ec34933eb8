import { errors } from 'undici';
import { ConnectionDenied } from '#platform/outbound';

/** Why an exchange has no usable response. */
export type HttpErrorKind = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'aborted';

export interface HttpResponse {
  kind: 'response';
  status: number;
  /** Headers with names in lower case. Repeated headers are joined by ", ". */
  headers: Record<string, string>;
  /** The first 16 KiB as text; invalid UTF-8 and NUL are replaced by U+FFFD. A compressed body stays compressed. */
  body: string;
  /** Whether the body was longer than `body`. */
  bodyTruncated: boolean;
  durationMs: number;
}

export interface HttpFailure {
  kind: 'error';
  errorKind: HttpErrorKind;
  /** A sentence for the owner of the webhook. Reveals nothing about listening ports. */
  message: string;
  durationMs: number;
}

export type HttpOutcome = HttpResponse | HttpFailure;

/** An error with the kind and the text of the outcome. */
export class DeliveryRefused extends Error {
  constructor(
    readonly errorKind: HttpErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** The kinds of errors of sockets and of the HTTP client. */
type ReportedKind = Exclude<HttpErrorKind, 'blocked' | 'dns'>;

/** Texts by kind. All failures of a connection have the same text, so that the text can't be used to map a network. */
const MESSAGES: Record<Exclude<ReportedKind, 'tls'>, string> = {
  connect: 'The connection to the destination failed.',
  timeout: 'The destination did not accept the connection in time.',
  reset: 'The destination closed the connection before its response was complete.',
  protocol: 'The request or its response is not valid HTTP.',
  aborted: 'The delivery was stopped before a response arrived.',
};

const KIND_BY_CODE: Record<string, ReportedKind> = {
  EPROTO: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  CERT_REVOKED: 'tls',
  CERT_UNTRUSTED: 'tls',
  CERT_REJECTED: 'tls',
  CERT_SIGNATURE_FAILURE: 'tls',
  CERT_CHAIN_TOO_LONG: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
  INVALID_PURPOSE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_ABORTED: 'aborted',
};

/** Returns the kind and text of an error of the HTTP client or of a socket. */
export function describeError(error: unknown): { errorKind: HttpErrorKind; message: string } {
  if (error instanceof DeliveryRefused || error instanceof ConnectionDenied)
    return { errorKind: error.errorKind, message: error.message };
  if (error instanceof errors.HTTPParserError) return { errorKind: 'protocol', message: MESSAGES.protocol };
  const code = errorCode(error);
  const errorKind = KIND_BY_CODE[code] ?? kindByPrefix(code);
  if (errorKind !== 'tls') return { errorKind, message: MESSAGES[errorKind] };
  return { errorKind, message: `The TLS connection to the destination failed (${code}). Check its certificate.` };
}

function kindByPrefix(code: string): ReportedKind {
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_')) return 'tls';
  return code.startsWith('HPE_') || code.startsWith('UND_ERR_') ? 'protocol' : 'connect';
}

/** Returns the code of an error. Errors of sockets need not be instances of this realm's Error. */
function errorCode(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
