import { isIP } from 'node:net';
import { normalizedNetwork, parseUrl } from '#platform/common';
import { BadValue } from './bad-value.js';
import { durationMs, durationText } from './duration.js';

/** Converts the text of a variable to its value. Throws `BadValue`. */
export type Parse<T> = (text: string) => T;

const SECRETS_KEY_BYTES = 32;

/** Parses an integer from `min` to `max`, both included. */
export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
      throw new BadValue(`a whole number from ${min} to ${max}`);
    }
    return value;
  };

/** Parses a duration to milliseconds. The limits are durations such as `15s`. */
export const duration =
  (min: string, max: string): Parse<number> =>
  (text) => {
    const value = durationMs(text);
    if (value < durationMs(min) || value > durationMs(max)) {
      throw new BadValue(`a duration from ${min} to ${max}`, `it is ${durationText(value)}`);
    }
    return value;
  };

export const oneOf =
  <const T extends string>(...words: T[]): Parse<T> =>
  (text) => {
    const word = words.find((word) => word === text);
    if (word === undefined) throw new BadValue(`one of ${words.join(', ')}`);
    return word;
  };

export const yesOrNo: Parse<boolean> = (text) => oneOf('true', 'false')(text) === 'true';

/** Parses a text that matches a pattern. `expected` describes the pattern. */
export const matching =
  (pattern: RegExp, expected: string): Parse<string> =>
  (text) => {
    if (!pattern.test(text)) throw new BadValue(expected);
    return text;
  };

/** Parses a comma-separated list. An empty text is an empty list. */
export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (text) => {
    if (text === '') return [];
    return text.split(',').map((entry, index) => {
      try {
        return parse(entry.trim());
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        throw new BadValue(
          `a comma-separated list in which each entry is ${error.expected}`,
          `entry ${index + 1} is not: ${error.wrong ?? 'its format is wrong'}`,
        );
      }
    });
  };

/** Parses an absolute URL with one of several schemes. Does not normalize the URL. */
export const url =
  (example: string, ...schemes: string[]): Parse<string> =>
  (text) => {
    const expected = `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}, such as ${example}`;
    if (!parseUrl(text)) throw new BadValue(expected);
    if (!schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}://`))) throw new BadValue(expected);
    return text;
  };

/** Parses the public URL of the service: http or https, without a path, because pages and cookies are at the root of the host. */
export const publicAddress: Parse<string> = (text) => {
  const address = new URL(url('https://id.example.com', 'https', 'http')(text));
  if (address.username || address.password || address.search || address.hash) {
    throw new BadValue('a URL without user name, password, query or fragment, such as https://id.example.com');
  }
  if (/[^/]/.test(address.pathname)) {
    throw new BadValue(
      `a URL without a path, such as ${address.origin}`,
      'give the service a host name of its own, and let the proxy pass on all paths of this host unchanged',
    );
  }
  return address.origin;
};

/** Parses an IP address or a network in CIDR form. Converts an address to a network. */
export const network: Parse<string> = (text) => {
  const normalized = normalizedNetwork(text);
  if (normalized === null) throw new BadValue('an IP address or network in CIDR form, such as 10.0.0.0/8 or ::1/128');
  return normalized;
};

/**
 * Parses a trusted proxy: an address, a network, or one of Express's names for networks. Rejects a number of hops, because a client that
 * bypasses the proxy could then send any address.
 */
export const trustedProxy: Parse<string> = (text) => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text;
  try {
    return network(text);
  } catch {
    throw new BadValue('an IP address, a network in CIDR form, or loopback, linklocal or uniquelocal (no hop count, no true)');
  }
};

/** Parses the address to listen on: an IP address or a host name. */
export const listenAddress: Parse<string> = (text) => {
  if (isIP(text) === 0 && !/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text)) {
    throw new BadValue('an IP address or host name to listen on, such as 0.0.0.0 or 127.0.0.1');
  }
  return text;
};

/** Parses a sender such as `Identity service <no-reply@example.com>`, or only an email address. */
export const sender: Parse<string> = matching(
  /^(?:[^<>"@\p{Cc}]+ <[^\s<>"@\p{Cc}]+@[a-z0-9.-]+>|[^\s<>"@\p{Cc}]+@[a-z0-9.-]+)$/iu,
  'a mail sender, such as Identity service <no-reply@example.com>',
);

/** Parses a platform key that the operator chose: valid in `Authorization: Bearer` (RFC 6750), and random. */
export const platformApiKey: Parse<string> = (text) => {
  const expected = 'at least 32 random letters and digits (generate them with: openssl rand -hex 32)';
  if (text.length < 32) throw new BadValue(expected, `it has ${text.length} characters`);
  if (!/^[A-Za-z0-9._~+/=-]{1,256}$/.test(text))
    throw new BadValue(expected, 'it is too long or contains characters that are not allowed in a header');
  if (new Set(text).size < 8) throw new BadValue(expected, 'it is not random');
  return text;
};

/** Parses a key of 32 bytes in base64 or base64url. */
const secretsKey: Parse<Buffer> = (text) => {
  const expected = `a ${SECRETS_KEY_BYTES}-byte key in base64 (generate one with: openssl rand -base64 ${SECRETS_KEY_BYTES})`;
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw new BadValue(expected, 'it is not base64');
  const key = Buffer.from(text, 'base64');
  if (key.length !== SECRETS_KEY_BYTES) throw new BadValue(expected, `it has ${key.length} bytes`);
  return key;
};

/** Parses a comma-separated list of encryption keys. @throws BadValue if a key is not base64 of 32 bytes or is in the list twice */
export function parseSecretsKeys(text: string): Buffer[] {
  const keys = listOf(secretsKey)(text);
  if (new Set(keys.map((key) => key.toString('hex'))).size < keys.length) {
    throw new BadValue('a list of distinct keys', 'it contains a key twice');
  }
  return keys;
}

/** Parses the IP address of a DNS server, with an optional port. */
export const dnsServer: Parse<string> = (text) => {
  const [, bracketed, port] = /^\[(.+)\](?::(\d{1,5}))?$/.exec(text) ??
    /^([\d.]+)(?::(\d{1,5}))?$/.exec(text) ?? [undefined, text];
  if (isIP(bracketed ?? '') === 0 || Number(port ?? 53) > 65_535) {
    throw new BadValue('an IP address with an optional port, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53');
  }
  return text;
};
