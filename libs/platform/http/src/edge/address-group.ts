import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;

/**
 * Returns the group of addresses that rate limits count as one address. A group is an IPv4 address, or the /64 network of an IPv6 address,
 * because one subscriber has all addresses of a /64 network (RFC 6177). All unknown addresses are one group.
 */
export function addressGroup(ipAddress: string | undefined): string {
  if (ipAddress === undefined || !ipaddr.isValid(ipAddress)) return 'unknown';
  const address = ipaddr.process(ipAddress);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, IPV6_NETWORK_BITS / 16).map((part) => part.toString(16));
  return `${network.join(':')}::/${IPV6_NETWORK_BITS}`;
}
