import { BlockList, isIP } from 'node:net';
import { InvalidRequest } from './domain-error.js';

/** Returns a network such as `10.0.0.0/8`. Converts a single address to a network. Returns null for all other texts. */
export function normalizedNetwork(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (bits === 0 || !prefixFits || rest.length > 0) return null;
  return prefix === undefined ? `${address}/${bits}` : text;
}

/** Returns normalized networks. `pointer` is the JSON Pointer of the list. @throws InvalidRequest (400) if a text is not a network */
export function normalizedNetworks(texts: readonly string[], pointer: string): string[] {
  return texts.map((text, index) => {
    const network = normalizedNetwork(text);
    if (network !== null) return network;
    const message = 'allowedNetworks must be IP addresses or networks in CIDR form, such as 203.0.113.0/24.';
    throw new InvalidRequest([{ pointer: `${pointer}/${index}`, in: 'body', code: 'invalid_network', message }]);
  });
}

/** Returns whether a network is completely inside one of the `others`. */
export function isWithinNetworks(network: string, others: readonly string[]): boolean {
  const [start, bits] = network.split('/') as [string, string];
  return others.some((other) => {
    const [otherStart, otherBits] = other.split('/') as [string, string];
    return isIP(start) === isIP(otherStart) && Number(bits) >= Number(otherBits) && isInNetworks(start, [other]);
  });
}

/** Returns whether one of the networks contains an address. Returns false for an unknown address. */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const family = isIP(address ?? '');
  if (address === undefined || family === 0) return false;
  const list = new BlockList();
  for (const each of networks) {
    const [start, bits] = each.split('/') as [string, string];
    list.addSubnet(start, Number(bits), isIP(start) === 6 ? 'ipv6' : 'ipv4');
  }
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
