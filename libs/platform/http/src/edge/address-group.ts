import ipaddr from 'ipaddr.js';
import { parseClientAddress } from '#platform/common';

const IPV6_NETWORK_BITS = 64;

/**
 * Returns the group of addresses that rate limits count as one address. A group is an IPv4 address, or the /64 network of an IPv6 address,
 * because one subscriber has all addresses of a /64 network (RFC 6177). All unknown addresses are one group.
 */
export function addressGroup(ipAddress: string | undefined): string {
  const address = ipAddress === undefined ? undefined : parseClientAddress(ipAddress);
  if (!address) return 'unknown';
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_BITS / 16).map((part) => part.toString(16));
  return `${network.join(':')}::/${IPV6_NETWORK_BITS}`;
}
