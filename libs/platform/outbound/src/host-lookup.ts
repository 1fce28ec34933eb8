import dns from 'node:dns';
import { promisify } from 'node:util';

/** One address that a name resolves to. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name to all of its addresses; rejects (or gives none) when there are none. */
export type HostLookup = (hostname: string) => Promise<ResolvedAddress[]>;

export interface HostLookupOptions {
  /** DNS servers to ask, as `address:port`; the default is the system's. */
  servers?: readonly string[];
  /** How long one query to one server may take. */
  queryTimeoutMs?: number;
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/** libuv has 4 threads for everything; a name whose servers never answer must not be able to take them all. */
const SYSTEM_LOOKUPS_AT_ONCE_MAX = 2;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The DNS said so itself: there is no such name, or no address under it. */
const NO_SUCH_NAME_CODES = new Set(['ENOTFOUND', 'ENODATA']);

/** No DNS server is to be had; the hosts file may still know the name. */
const NO_SERVER_CODES = new Set(['ECONNREFUSED', 'ENOTINITIALIZED', 'EFILE']);

/** WHATWG URLs keep a final dot and the brackets of IPv6; DNS, TLS and sockets want neither. */
export function plainHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * The default lookup: asks the DNS servers directly, off libuv's thread pool, so that a name with dead servers delays
 * nobody else; asks the system (hosts file, search domains) for names that the DNS does not know.
 * `localhost` and names below it are loopback without asking (RFC 6761 section 6.3).
 */
export function createHostLookup(options: HostLookupOptions = {}): HostLookup {
  const resolver = new dns.promises.Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const askSystem = limitedSystemLookup();

  return async (hostname) => {
    const name = plainHostname(hostname).toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return [...LOOPBACK];

    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses: ResolvedAddress[] = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 as const })),
      ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 as const })),
    ];
    if (addresses.length > 0) return addresses;

    const failures = [ipv4, ipv6].flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
    );
    const worthAsking = failures.every(({ code = '' }) => NO_SUCH_NAME_CODES.has(code) || NO_SERVER_CODES.has(code));
    if (!worthAsking) throw failures[0];
    return askSystem(name);
  };
}

/** getaddrinfo behind a gate: it holds a thread until the system gives up, and cannot be called off. */
function limitedSystemLookup(): HostLookup {
  const lookup = promisify(dns.lookup);
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (hostname) => {
    if (running >= SYSTEM_LOOKUPS_AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const answers = await lookup(hostname, { all: true, verbatim: true });
      return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
