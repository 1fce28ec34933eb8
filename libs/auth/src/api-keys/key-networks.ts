import { BlockList, isIP } from 'node:net';
import { network } from '#config';

/** Returns a network as `10.0.0.0/8`, an address alone as a network of itself; null for anything else. */
export function normalizedNetwork(text: string): string | null {
  try {
    return network(text);
  } catch {
    return null;
  }
}

/** Whether an address lies in one of the networks; an address that is not known lies in none. */
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
