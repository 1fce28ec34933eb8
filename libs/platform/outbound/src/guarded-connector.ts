import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { ConnectionDenied } from './connection-denied.js';
import { type HostLookup, plainHostname } from './host-lookup.js';
import type { NetworkPolicy } from './network-policy.js';

/** How long one address may take before the next of the name is tried (RFC 8305; Node's 250 ms is short for far hosts). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** A name with very many addresses must not be a list of hosts to knock on. */
const ADDRESSES_MAX = 8;

export interface GuardedConnectorOptions {
  policy: NetworkPolicy;
  lookup: HostLookup;
  /** For the lookup, the connection and the TLS handshake together. */
  connectTimeoutMs: number;
  /** Certificates (PEM) trusted instead of Node's own list. */
  tlsCa?: string;
  /** Told of each socket, by scheme, host and port. */
  onSocket?: (origin: string, socket: Socket) => void;
}

/**
 * Opens sockets for undici, to judged addresses only: what was judged is what is connected to, in one step, so that a
 * name cannot change its address in between. `lookup` is never called for IP literals, so those are judged before.
 * http goes to allowed networks only.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => {
      const assertReachable = judgeFor(protocol, options.policy);
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

  return (target, callback) => {
    const connector = connectors.get(target.protocol);
    const hostname = plainHostname(target.hostname);
    try {
      if (!connector) throw new ConnectionDenied('blocked', 'Connections require https.');
      if (isIP(hostname) !== 0) connector.assertReachable(hostname);
    } catch (error) {
      process.nextTick(callback, error, null);
      return;
    }
    connector.connect({ ...target, hostname }, (...answer) => {
      const [, socket] = answer;
      if (socket) options.onSocket?.(`${target.protocol}//${target.host ?? ''}`, socket);
      callback(...answer);
    });
  };
}

/** Throws unless an address may be connected to over this protocol. The text says nothing about the address itself. */
function judgeFor(protocol: string, policy: NetworkPolicy): (address: string) => void {
  return (address) => {
    if (policy.judgeAddress(address) !== 'allowed') {
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
  const judged = callbackify((hostname: string) => judgedAddresses(hostname, lookup, assertReachable));
  // All addresses are always asked for: a connection goes on with the next one (`autoSelectFamily`).
  return (hostname, _, callback) => judged(hostname, callback);
}

/** All addresses of a name, each of them judged: one that is refused condemns the name. */
async function judgedAddresses(hostname: string, lookup: HostLookup, assertReachable: (address: string) => void) {
  const addresses = await lookup(hostname).catch(() => []);
  if (addresses.length === 0) throw new ConnectionDenied('dns', 'The host name of the destination could not be resolved.');
  for (const { address } of addresses) assertReachable(address);
  return addresses.slice(0, ADDRESSES_MAX);
}
