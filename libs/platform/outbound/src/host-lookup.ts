import dns from 'node:dns';
import { promisify } from 'node:util';

/** An address of a host name. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name to all its addresses. Rejects or returns an empty list if there are none. */
export type HostLookup = (hostname: string) => Promise<ResolvedAddress[]>;

export interface HostLookupOptions {
  /** DNS servers, as `address:port`. Default: those of the system. */
  servers?: readonly string[];
  /** Timeout of a query to a server. */
  queryTimeoutMs?: number;
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/**
 * Maximum number of concurrent lookups by the operating system. libuv has 4 threads for all work, and lookups without a response must not
 * occupy all threads.
 */
const MAX_SYSTEM_LOOKUPS = 2;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Error codes if the DNS server responded that the name does not exist or has no address. */
const NO_SUCH_NAME_CODES = new Set(['ENOTFOUND', 'ENODATA']);

/** Error codes if no DNS server is available. The hosts file may contain the name. */
const NO_SERVER_CODES = new Set(['ECONNREFUSED', 'ENOTINITIALIZED', 'EFILE']);

/** Returns a host name without the final dot and the brackets of IPv6 addresses, which WHATWG URLs contain, but DNS and TLS don't accept. */
export function plainHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Creates the default lookup. It queries the DNS servers without libuv's thread pool, so that a name whose servers do not respond does not
 * delay other lookups. Names that do not exist in the DNS are looked up by the system (hosts file, search domains). `localhost` and its
 * subdomains are loopback addresses without a query (RFC 6761, section 6.3).
 */
export function createHostLookup(options: HostLookupOptions = {}): HostLookup {
  const resolver = new dns.promises.Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const lookUpInSystem = limitedSystemLookup();

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
    const canSystemKnow = failures.every(({ code = '' }) => NO_SUCH_NAME_CODES.has(code) || NO_SERVER_CODES.has(code));
    if (!canSystemKnow) throw failures[0];
    return lookUpInSystem(name);
  };
}

/** Returns a lookup with few concurrent calls of getaddrinfo, because a call occupies a thread until its timeout and can't be canceled. */
function limitedSystemLookup(): HostLookup {
  const lookup = promisify(dns.lookup);
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (hostname) => {
    if (running >= MAX_SYSTEM_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve));
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
