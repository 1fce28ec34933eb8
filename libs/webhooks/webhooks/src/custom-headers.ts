export const HEADER_NAME_MAX_LENGTH = 128;

export const HEADER_VALUE_MAX_LENGTH = 4096;

/** Headers that frame the request or belong to one connection (RFC 9110 section 7.6.1, RFC 9112). Only the HTTP client sets them. */
const TRANSPORT_HEADERS = new Set([
  'alt-used',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that the service sets for each delivery. */
const DELIVERY_HEADERS = new Set(['accept-encoding', 'date', 'user-agent']);

/** `content-*` describes the signed body, `webhook-*` belongs to the signature, `proxy-*` and `sec-*` to proxies and browsers. */
const RESERVED_PREFIXES = ['content-', 'proxy-', 'sec-', 'webhook-'];

/** RFC 9110 token that starts with a letter or digit, which excludes `__proto__`. */
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]*$/;

/** RFC 9110 field value without line breaks, NUL and obs-text. Servers decode obs-text differently. */
export const HEADER_VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

/** Returns the name of the header with the service's own signature (specification section 6.4). */
export function signatureHeaderName(serviceName: string): string {
  return `${serviceName.toLowerCase()}-signature`;
}

/** Returns whether only the HTTP client can set a header. */
export function isTransportHeader(name: string): boolean {
  const lowered = name.toLowerCase();
  return TRANSPORT_HEADERS.has(lowered) || lowered.startsWith('proxy-');
}

/** Returns whether a header name is reserved and can't be the name of a custom header. */
export function isReservedHeader(name: string, serviceName: string): boolean {
  const lowered = name.toLowerCase();
  return (
    isTransportHeader(lowered) ||
    DELIVERY_HEADERS.has(lowered) ||
    RESERVED_PREFIXES.some((prefix) => lowered.startsWith(prefix)) ||
    lowered === signatureHeaderName(serviceName)
  );
}

/**
 * Returns the problem of a custom header as a sentence for the user, or undefined if the header can be sent. The sentence doesn't
 * contain the value, which can be a credential.
 */
export function headerProblem(name: string, value: string, serviceName: string): string | undefined {
  if (name.length > HEADER_NAME_MAX_LENGTH) {
    return `A header name can have at most ${HEADER_NAME_MAX_LENGTH} characters. Use a shorter name.`;
  }
  if (!HEADER_NAME.test(name)) {
    return 'A header name must start with a letter or digit and contain only letters, digits and characters such as "-", "_" and ".".';
  }
  if (isReservedHeader(name, serviceName)) {
    return `The header "${name.toLowerCase()}" is set by the service for each delivery. Choose another name.`;
  }
  if (value.length > HEADER_VALUE_MAX_LENGTH) {
    return `The value of "${name}" can have at most ${HEADER_VALUE_MAX_LENGTH} characters. Use a shorter value.`;
  }
  if (!HEADER_VALUE.test(value)) {
    return `The value of "${name}" must contain only printable ASCII characters, without line breaks or leading or trailing spaces.`;
  }
  return undefined;
}
