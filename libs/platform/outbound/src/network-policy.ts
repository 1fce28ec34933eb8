import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '#platform/common';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [IpAddress, number];

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

const MAPPED_PREFIX_BITS = 96;

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
    this.allowedNetworks = allowedNetworks.map(parseNetwork);
  }

  /** Checks an address (without brackets). Denies text that is not an address. */
  checkAddress(ip: string): AddressCheck {
    const address = parseAddress(ip);
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
    const address = parseAddress(ip);
    return address !== undefined && this.isAllowed(address);
  }

  private isAllowed(address: IpAddress): boolean {
    const plain = unmapped(address);
    return this.allowedNetworks.some(
      ([network, prefixBits]) => network.kind() === plain.kind() && plain.match(network, prefixBits),
    );
  }
}

/** Returns the IPv4 address of a mapped address (`::ffff:a.b.c.d`). Connections use the IPv4 address. */
function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Parses an address. Calls `isIP` first, because ipaddr.js also accepts octal, hexadecimal and short formats, which sockets can interpret
 * differently. IPv6 addresses are normalized by the WHATWG parser, because ipaddr.js reads a compatible address (`::a.b.c.d`) as a mapped
 * address (`::ffff:a.b.c.d`). The WHATWG parser rejects addresses with a zone, which are link-local.
 */
function parseAddress(ip: string): IpAddress | undefined {
  if (isIP(ip) === 4) return ipaddr.IPv4.parse(ip);
  const url = isIP(ip) === 6 ? parseUrl(`http://[${ip}]`) : undefined;
  return url && ipaddr.IPv6.parse(url.hostname.slice(1, -1));
}

function parseNetwork(cidr: string): Network {
  const [ip, prefix] = cidr.split('/');
  const address = parseAddress(ip ?? '');
  const maxPrefixBits = address?.kind() === 'ipv4' ? 32 : 128;
  if (!address || !prefix || !/^\d{1,3}$/.test(prefix) || Number(prefix) > maxPrefixBits || cidr.split('/').length !== 2) {
    throw new RangeError(`"${cidr}" is not a network in CIDR notation. Use a network such as 10.0.0.0/8 or fd00::/8.`);
  }
  const plain = unmapped(address);
  if (plain === address) return [address, Number(prefix)];
  if (Number(prefix) < MAPPED_PREFIX_BITS) {
    throw new RangeError(`"${cidr}" is wider than the range of IPv4-mapped IPv6 addresses. Use the IPv4 network instead.`);
  }
  return [plain, Number(prefix) - MAPPED_PREFIX_BITS];
}

/** Returns the readable form of a range name of ipaddr.js: `carrierGradeNat` → `carrier grade nat`. */
function readableRangeName(rangeName: string): string {
  return rangeName.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
