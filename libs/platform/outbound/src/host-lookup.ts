import dns from 'node:dns';
import { promisify } from 'node:util';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Returns all addresses of a host name. Rejects or returns an empty list if the name has no address. */
export type HostLookup = (hostname: string) => Promise<ResolvedAddress[]>;

export interface HostLookupOptions {
  /** DNS servers, as `address:port`. Default: the servers of the system. */
  servers?: readonly string[];
  queryTimeoutMs?: number;
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

/** Maximum number of concurrent lookups by the operating system. Lookups must not occupy all 4 threads of libuv. */
const MAX_SYSTEM_LOOKUPS = 2;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Error codes if the DNS server responded that the name does not exist or has no address. */
const NO_SUCH_NAME_CODES = new Set(['ENOTFOUND', 'ENODATA']);

/** Error codes if no DNS server is available. The hosts file may contain the name. */
const NO_SERVER_CODES = new Set(['ECONNREFUSED', 'ENOTINITIALIZED', 'EFILE']);

/** Converts the host of a WHATWG URL for DNS and TLS: removes the final dot and the brackets of an IPv6 address. */
export function plainHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Creates the default lookup. DNS queries don't use libuv's thread pool, so unresponsive DNS servers don't delay lookups of other
 * names. The operating system looks up names without DNS records (hosts file, search domains). `localhost` and its subdomains are
 * loopback addresses without a query (RFC 6761, section 6.3).
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
    const needsSystemLookup = failures.every(({ code = '' }) => NO_SUCH_NAME_CODES.has(code) || NO_SERVER_CODES.has(code));
    if (!needsSystemLookup) throw failures[0];
    return lookUpInSystem(name);
  };
}

/**
 * Returns a lookup with at most `MAX_SYSTEM_LOOKUPS` concurrent calls of getaddrinfo. A call occupies a thread until its timeout and
 * can't be canceled.
 */
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
