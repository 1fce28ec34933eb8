import ipaddr from 'ipaddr.js';
import { parseClientAddress, PLATFORM_TENANT, type RequestContext } from '#platform/common';

const IPV6_NETWORK_BITS = 64;

/**
 * Returns the group of addresses that limits count as one address. A group is an IPv4 address, or the /64 network of an IPv6 address, because
 * one subscriber has all addresses of a /64 network (RFC 6177). All unknown addresses are one group.
 *
 * Addresses that a credential forwards are groups of their own, by the organization of the credential: they are what the credential says, so
 * they can neither use up nor share what a limit allows the address itself, or the same address at another organization.
 */
export function addressGroup({ ipAddress, forwardedBy }: Pick<RequestContext, 'ipAddress' | 'forwardedBy'>): string {
  const group = networkOf(ipAddress);
  return forwardedBy ? `${group} ${forwardedBy.organizationIds?.[0] ?? PLATFORM_TENANT}` : group;
}

function networkOf(ipAddress: string | undefined): string {
  const address = ipAddress === undefined ? undefined : parseClientAddress(ipAddress);
  if (!address) return 'unknown';
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, IPV6_NETWORK_BITS / 16).map((part) => part.toString(16));
  return `${network.join(':')}::/${IPV6_NETWORK_BITS}`;
}
