import ipaddr from 'ipaddr.js';
import { containsAddress, type IpAddress, type Network, parseIpAddress, parseNetwork, unmapped } from '#platform/common';

/** `allowed`, or the kind of a denied address. */
export type AddressCheck = 'allowed' | { denied: string };

/** Addresses that are reachable only within a cloud. */
const PROVIDER_ADDRESSES = new Map([
  ['168.63.129.16', 'cloud metadata'],
  ['169.254.169.254', 'cloud metadata'],
  ['fd00:ec2::254', 'cloud metadata'],
]);

/** The public IPv6 addresses. All other addresses are special or not assigned (RFC 4291, section 2.4, IANA). */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Decides which addresses deliveries can connect to: global unicast addresses, and networks that the operator allowed. Based on IANA's
 * special-purpose address registries for IPv4 and IPv6 (RFC 6890).
 */
export class NetworkPolicy {
  private readonly allowedNetworks: readonly Network[];

  /**
   * @param allowedNetworks additional networks in CIDR notation, which need not be public
   * @throws RangeError for a network that is not in CIDR notation
   */
  constructor(allowedNetworks: readonly string[]) {
    this.allowedNetworks = allowedNetworks.map(networkOf);
  }

  /** Checks an address (without brackets). Denies text that is not an address. */
  checkAddress(ip: string): AddressCheck {
    const address = parseIpAddress(ip);
    if (!address) return { denied: 'not an IP address' };
    if (this.isAllowed(address)) return 'allowed';

    const provider = PROVIDER_ADDRESSES.get(address.toString());
    if (provider) return { denied: provider };
    const rangeName = address.range();
    if (rangeName !== 'unicast') return { denied: readableRangeName(rangeName) };
    if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST_IPV6)) return { denied: 'reserved' };
    return 'allowed';
  }

  /** Returns whether an address is in a network that the operator allowed. In such a network, http is allowed. */
  isInAllowedNetwork(ip: string): boolean {
    const address = parseIpAddress(ip);
    return address !== undefined && this.isAllowed(address);
  }

  private isAllowed(address: IpAddress): boolean {
    const plain = unmapped(address);
    return this.allowedNetworks.some((network) => containsAddress(network, plain));
  }
}

function networkOf(cidr: string): Network {
  const network = parseNetwork(cidr);
  if (network) return network;
  throw new RangeError(`"${cidr}" is not a network in CIDR notation. Use a network such as 10.0.0.0/8 or fd00::/8.`);
}

/** Returns the readable form of a range name of ipaddr.js: `carrierGradeNat` → `carrier grade nat`. */
function readableRangeName(rangeName: string): string {
  return rangeName.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
