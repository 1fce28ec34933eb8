import { isIPv6 } from 'node:net';
import { parseClientAddress, type RequestOrigin } from '#platform/common';
import type { Request } from 'express';

/** Longer than every address with a zone, a port and quotes. */
const MAX_ENTRY_LENGTH = 100;
const MAX_PORT = 65_535;

/**
 * Returns the address of the client. Reads `X-Forwarded-For` from the last entry to the first, while the previous address is a proxy of
 * `TRUST_PROXY`. An entry that is not an address (`unknown`, `_hidden`) ends the search at the nearest trusted proxy.
 */
export function clientAddress(request: Request): RequestOrigin {
  const isTrusted = request.app.get('trust proxy fn') as (address: string, hops: number) => boolean;
  let ipAddress = parseClientAddress(request.socket.remoteAddress ?? '')?.toString();
  if (ipAddress === undefined) return {};
  // An empty entry is no entry (RFC 9110, section 5.6.1).
  const entries = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (let hops = 0; entries.length > 0 && isTrusted(ipAddress, hops); hops += 1) {
    const next = forwardedAddress(entries.pop() ?? '');
    if (next === undefined) return { ipAddress, isProxyAddress: true };
    ipAddress = next;
  }
  return { ipAddress };
}

/** Returns the address in an entry of `X-Forwarded-For`, which can have a port (`203.0.113.7:443`, `[2001:db8::1]:443`) and quotes. */
function forwardedAddress(entry: string): string | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return undefined;
  const text = /^"(.*)"$/.exec(entry)?.[1] ?? entry;
  const [, bracketed, ipv4, port = '0'] = /^(?:\[([^[\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (Number(port) > MAX_PORT || (bracketed !== undefined && !isIPv6(bracketed))) return undefined;
  return parseClientAddress(bracketed ?? ipv4 ?? text)?.toString();
}
