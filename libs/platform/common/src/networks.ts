import { InvalidRequest } from './domain-error.js';
import { containsAddress, parseClientAddress, parseIpAddress, parseNetwork } from './ip-address.js';
import type { RequestOrigin } from './request-context.js';

/** Returns the canonical form of a network such as `10.0.0.0/8`. Converts a single address to a network. Returns null for all other texts. */
export function normalizedNetwork(text: string): string | null {
  const network = parseNetwork(text.includes('/') ? text : `${text}/${parseIpAddress(text)?.kind() === 'ipv4' ? 32 : 128}`);
  return network ? `${network.address.toString()}/${network.prefixBits}` : null;
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
export function isWithinNetworks(text: string, others: readonly string[]): boolean {
  const network = parseNetwork(text);
  return others.some((otherText) => {
    const other = parseNetwork(otherText);
    return network && other && network.prefixBits >= other.prefixBits && containsAddress(other, network.address);
  });
}

/**
 * Returns whether one of the networks contains the address of a client. Returns false for an unknown address, and for the address of a
 * proxy, which says nothing about the client.
 */
export function isInNetworks({ ipAddress, isProxyAddress }: RequestOrigin, networks: readonly string[]): boolean {
  const address = ipAddress === undefined || isProxyAddress ? undefined : parseClientAddress(ipAddress);
  if (!address) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network && containsAddress(network, address);
  });
}
