import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { ConnectionDenied } from './connection-denied.js';
import { type HostLookup, plainHostname } from './host-lookup.js';
import type { NetworkPolicy } from './network-policy.js';
import { withFinalResponses } from './response-reader.js';

/** Time after which the next address of a name is tried, in milliseconds (RFC 8305). Node's 250 ms are too short for distant hosts. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Maximum number of addresses that are tried for a name, so that a name can't be used to scan many hosts. */
const MAX_ADDRESSES = 8;

export interface GuardedConnectorOptions {
  policy: NetworkPolicy;
  lookup: HostLookup;
  /** Timeout for the lookup, the connection and the TLS handshake together. */
  connectTimeoutMs: number;
  /** Trusted certificates (PEM) instead of Node's list. */
  tlsCa?: string;
}

/**
 * Creates a connector for undici that connects only to allowed addresses, and with http only to allowed networks. Checks the addresses
 * in the lookup of the connection, so that the address can't change after the check. IP addresses in URLs are checked first, because
 * Node does not call `lookup` for IP addresses.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => {
      const assertReachable = checkFor(protocol, options.policy);
      const connect = buildConnector({
        timeout: options.connectTimeoutMs,
        allowH2: false,
        lookup: guardedLookup(options.lookup, assertReachable),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
        ca: options.tlsCa,
      });
      return [protocol, { connect, assertReachable }];
    }),
  );

  return withFinalResponses((target, callback) => {
    const connector = connectors.get(target.protocol);
    const hostname = plainHostname(target.hostname);
    try {
      if (!connector) throw new ConnectionDenied('blocked', 'Connections require https.');
      if (isIP(hostname) !== 0) connector.assertReachable(hostname);
    } catch (error) {
      process.nextTick(callback, error, null);
      return;
    }
    connector.connect({ ...target, hostname }, callback);
  });
}

/**
 * Returns a function that throws if connections to an address with this protocol are not allowed. The error message does not contain
 * the address.
 */
function checkFor(protocol: string, policy: NetworkPolicy): (address: string) => void {
  return (address) => {
    if (policy.checkAddress(address) !== 'allowed') {
      throw new ConnectionDenied(
        'blocked',
        'The destination has an address that the service is not allowed to connect to: private, loopback, link-local, reserved or similar.',
      );
    }
    if (protocol !== 'https:' && !policy.isInAllowedNetwork(address)) {
      throw new ConnectionDenied('blocked', 'The destination requires https. Change the URL to https.');
    }
  };
}

function guardedLookup(lookup: HostLookup, assertReachable: (address: string) => void): LookupFunction {
  const checked = callbackify((hostname: string) => checkedAddresses(hostname, lookup, assertReachable));
  // Always returns all addresses, because the connection tries the addresses in turn (`autoSelectFamily`).
  return (hostname, _, callback) => checked(hostname, callback);
}

/** Returns the addresses of a name. @throws ConnectionDenied if an address is not allowed or the name can't be resolved */
async function checkedAddresses(hostname: string, lookup: HostLookup, assertReachable: (address: string) => void) {
  const addresses = await lookup(hostname).catch(() => []);
  if (addresses.length === 0) throw new ConnectionDenied('dns', 'The host name of the destination could not be resolved.');
  for (const { address } of addresses) assertReachable(address);
  return addresses.slice(0, MAX_ADDRESSES);
}
