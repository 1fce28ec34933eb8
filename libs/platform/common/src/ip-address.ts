import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from './url.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

export interface Network {
  readonly address: IpAddress;
  readonly prefixBits: number;
}

const MAPPED_PREFIX_BITS = 96;

/**
 * Parses an IP address. Returns undefined for all other texts. Calls `isIP` first, because ipaddr.js also accepts octal, hexadecimal and
 * short formats, which sockets can interpret differently. IPv6 addresses are normalized by the WHATWG parser, because ipaddr.js reads a
 * compatible address (`::a.b.c.d`) as a mapped address (`::ffff:a.b.c.d`). The WHATWG parser rejects addresses with a zone.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  const url = isIP(text) === 6 ? parseUrl(`http://[${text}]`) : undefined;
  return url && ipaddr.IPv6.parse(url.hostname.slice(1, -1));
}

/** Returns the IPv4 address of a mapped address (`::ffff:a.b.c.d`). Connections use the IPv4 address. */
export function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Parses the address of a client. Ignores a zone (`fe80::1%eth0`), and converts a mapped address to IPv4. */
export function parseClientAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(isIP(text) === 6 ? text.split('%', 1)[0]! : text);
  return address && unmapped(address);
}

/**
 * Parses a network in CIDR form. Converts a network of mapped addresses to the IPv4 network. Returns undefined for all other texts, also
 * for a network that has mapped and other IPv6 addresses.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, start = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIpAddress(start);
  const prefixBits = Number(prefix);
  if (!address || prefixBits > (address.kind() === 'ipv4' ? 32 : 128)) return undefined;
  const plain = unmapped(address);
  if (plain === address) return { address, prefixBits };
  return prefixBits < MAPPED_PREFIX_BITS ? undefined : { address: plain, prefixBits: prefixBits - MAPPED_PREFIX_BITS };
}

/** Returns whether a network contains an address. The address must be unmapped. */
export const containsAddress = ({ address: start, prefixBits }: Network, address: IpAddress): boolean =>
  start.kind() === address.kind() && address.match(start, prefixBits);
