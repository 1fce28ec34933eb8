import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '#platform/common';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [IpAddress, number];

/** Whether deliveries may connect to an address, and if not, the kind of address it is. */
export type AddressJudgement = 'allowed' | { denied: string };

/** Reachable from the inside of a cloud only, although the address looks public. */
const PROVIDER_ADDRESSES = new Map([
  ['168.63.129.16', 'cloud metadata'],
  ['169.254.169.254', 'cloud metadata'],
  ['fd00:ec2::254', 'cloud metadata'],
]);

/** RFC 4291 section 2.4, IANA: everything outside 2000::/3 is special or not handed out. */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const MAPPED_PREFIX_BITS = 96;

/**
 * Decides which addresses deliveries may reach: global unicast alone, and what the operator has allowed besides.
 * The registries behind it are IANA's special-purpose address registries for IPv4 and IPv6 (RFC 6890).
 */
export class NetworkPolicy {
  private readonly allowedNetworks: readonly Network[];

  /**
   * @param allowedNetworks networks in CIDR notation that may be reached although they are not public
   * @throws RangeError when one of them is not a network in CIDR notation
   */
  constructor(allowedNetworks: readonly string[]) {
    this.allowedNetworks = allowedNetworks.map(parseNetwork);
  }

  /** Judges one address as DNS or a URL gives it (without brackets). What cannot be understood is denied. */
  judgeAddress(ip: string): AddressJudgement {
    const address = parseAddress(ip);
    if (!address) return { denied: 'not an IP address' };
    if (this.holds(address)) return 'allowed';

    const provider = PROVIDER_ADDRESSES.get(address.toString());
    if (provider) return { denied: provider };
    const range = address.range();
    if (range !== 'unicast') return { denied: describeRange(range) };
    if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST_IPV6)) return { denied: 'reserved' };
    return 'allowed';
  }

  /** Whether an address lies in a network that the operator has allowed. There, http is allowed too. */
  isInAllowedNetwork(ip: string): boolean {
    const address = parseAddress(ip);
    return address !== undefined && this.holds(address);
  }

  private holds(address: IpAddress): boolean {
    const plain = unmapped(address);
    return this.allowedNetworks.some(
      ([network, prefixBits]) => network.kind() === plain.kind() && plain.match(network, prefixBits),
    );
  }
}

/** A mapped address (`::ffff:a.b.c.d`) connects to the IPv4 address in it, so only that one counts. */
function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * isIP comes first: ipaddr.js also reads octal, hexadecimal and short forms, which sockets may read otherwise. IPv6 goes
 * through the WHATWG parser: ipaddr.js takes the compatible form (`::a.b.c.d`) for the mapped one (`::ffff:a.b.c.d`).
 * An address with a zone is link-local or nonsense, and has no such form.
 */
function parseAddress(ip: string): IpAddress | undefined {
  if (isIP(ip) === 4) return ipaddr.IPv4.parse(ip);
  const url = isIP(ip) === 6 ? parseUrl(`http://[${ip}]`) : undefined;
  return url && ipaddr.IPv6.parse(url.hostname.slice(1, -1));
}

function parseNetwork(cidr: string): Network {
  const [ip, prefix] = cidr.split('/');
  const address = parseAddress(ip ?? '');
  const longest = address?.kind() === 'ipv4' ? 32 : 128;
  if (!address || !prefix || !/^\d{1,3}$/.test(prefix) || Number(prefix) > longest || cidr.split('/').length !== 2) {
    throw new RangeError(`"${cidr}" is not a network in CIDR notation. Use a network such as 10.0.0.0/8 or fd00::/8.`);
  }
  const plain = unmapped(address);
  if (plain === address) return [address, Number(prefix)];
  if (Number(prefix) < MAPPED_PREFIX_BITS) {
    throw new RangeError(`"${cidr}" is wider than the range of IPv4-mapped IPv6 addresses. Use the IPv4 network instead.`);
  }
  return [plain, Number(prefix) - MAPPED_PREFIX_BITS];
}

/** `carrierGradeNat` → `carrier grade nat`, for people. */
function describeRange(range: string): string {
  return range.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
