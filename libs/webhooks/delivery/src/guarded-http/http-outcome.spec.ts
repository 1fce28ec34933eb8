import { describe, expect, it } from '@jest/globals';
import { errors } from 'undici';
import { ConnectionDenied } from '#platform/outbound';
import { DeliveryRefused, describeError } from './http-outcome.js';

const coded = (code: unknown) => Object.assign(new Error('internal: 10.0.0.1:5432'), { code });

/** Error codes of Node, OpenSSL and undici, by the kind of the outcome. */
const CODES = {
  tls: [
    'EPROTO',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'CERT_UNTRUSTED',
    'CERT_REJECTED',
    'CERT_SIGNATURE_FAILURE',
    'CERT_CHAIN_TOO_LONG',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ],
  timeout: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  reset: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  aborted: ['UND_ERR_CLOSED', 'UND_ERR_DESTROYED', 'UND_ERR_ABORTED'],
  protocol: ['HPE_INVALID_CONSTANT', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_INVALID_ARG'],
  connect: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'X_HPE_', 'XERR_TLS_', 'XUND_ERR_', '', 7, undefined],
};

const MESSAGES: Record<string, string> = {
  connect: 'The connection to the destination failed.',
  timeout: 'The destination did not accept the connection in time.',
  reset: 'The destination closed the connection before its response was complete.',
  protocol: 'The request or its response is not valid HTTP.',
  aborted: 'The delivery was stopped before a response arrived.',
};

describe('describeError', () => {
  it.each(Object.entries(CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)))(
    'converts the error code %s to the kind %s',
    (code, kind) => {
      const told = `The TLS connection to the destination failed (${String(code)}). Check its certificate.`;
      expect(describeError(coded(code))).toEqual({ errorKind: kind, message: MESSAGES[kind] ?? told });
    },
  );

  it.each([new Error('x'), 'ETIMEDOUT', null, undefined, 7, {}])(
    'returns the kind connect for an error without a known code: %p',
    (error) => {
      expect(describeError(error)).toEqual({ errorKind: 'connect', message: MESSAGES['connect'] });
    },
  );

  it('returns the kind protocol for every HTTPParserError', () => {
    const error = Object.assign(new errors.HTTPParserError('bad'), { code: 'ETIMEDOUT' });
    expect(describeError(error)).toEqual({ errorKind: 'protocol', message: MESSAGES['protocol'] });
  });

  it('returns the kind and message of a DeliveryRefused or ConnectionDenied error', () => {
    expect(describeError(new DeliveryRefused('timeout', 'Too late.'))).toEqual({ errorKind: 'timeout', message: 'Too late.' });
    expect(describeError(new ConnectionDenied('dns', 'No name.'))).toEqual({ errorKind: 'dns', message: 'No name.' });
  });
});
