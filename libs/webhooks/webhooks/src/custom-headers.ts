/** The longest name of a customer's header, in characters. */
export const HEADER_NAME_MAX_LENGTH = 128;

/** The longest value of a customer's header, in characters. */
export const HEADER_VALUE_MAX_LENGTH = 4096;

/** What frames the request or belongs to one connection (RFC 9110 section 7.6.1, RFC 9112): only the HTTP client may set it. */
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

/** What describes the body as signed, or names the sender. */
const DELIVERY_HEADERS = new Set(['accept-encoding', 'date', 'user-agent']);

/** `content-*` describes the signed body, `webhook-*` is the signature's, `proxy-*` and `sec-*` belong to proxies and browsers. */
const RESERVED_PREFIXES = ['content-', 'proxy-', 'sec-', 'webhook-'];

/** RFC 9110 token, begun by a letter or digit: no real header begins otherwise, and `__proto__` would be one. */
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]*$/;

/** RFC 9110 field value without obs-text: what every server reads alike. Line breaks and NUL cannot get in. */
export const HEADER_VALUE = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

/** The name of the header that carries the service's own signature (specification section 6.4). */
export function signatureHeaderName(serviceName: string): string {
  return `${serviceName.toLowerCase()}-signature`;
}

/** Whether a header frames the request itself, so that nobody but the HTTP client may set it. */
export function isTransportHeader(name: string): boolean {
  const lowered = name.toLowerCase();
  return TRANSPORT_HEADERS.has(lowered) || lowered.startsWith('proxy-');
}

/** Whether a header belongs to HTTP or to the signature, so that a webhook's own headers may not carry it. */
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
 * Says what is wrong with a webhook's own header, as a sentence for the person who set it; undefined when it can be sent.
 * The value is not repeated in the sentence: it may be a credential.
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
