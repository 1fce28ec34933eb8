import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { parseUrl } from '#platform/common';
import { createGuardedConnector, createHostLookup, type HostLookup, type NetworkPolicy } from '#platform/outbound';
import { isTransportHeader } from '#webhooks/webhooks';
import { Exchange } from './exchange.js';
import { DeliveryRefused, type HttpOutcome } from './http-outcome.js';

export interface GuardedHttpClientOptions {
  /** Resolves host names. Default: DNS, then the operating system. */
  lookup?: HostLookup;
  /** Timeout for the lookup, the connection and the TLS handshake together, within the time limit of the request. Default: 5 s. */
  connectTimeoutMs?: number;
  /** Maximum number of sockets, and thus of concurrent exchanges, to one origin (scheme, host and port). Default: 32. */
  socketsPerOriginMax?: number;
  /** Certificates (PEM) trusted instead of Node's own list. */
  tlsCa?: string;
}

export interface PostRequest {
  headers: Readonly<Record<string, string>>;
  /** The body; a string is sent as UTF-8. */
  body: Buffer | string;
  /** Time limit for the whole exchange: waiting for a connection, connecting, headers and body. */
  timeoutMs: number;
  /** Stops the exchange, whose outcome is then `aborted`. */
  signal?: AbortSignal;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SOCKETS_PER_ORIGIN_MAX = 32;

/** Time after which idle connections are closed. Common servers close them after 5 s, and no request should use a closing connection. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_HINT_MAX_MS = 60_000;

/** Maximum age of a connection. A connection in constant use is renewed, so that a changed DNS entry takes effect. */
const CONNECTION_AGE_MAX_MS = 300_000;

const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;

/** Number of parsed URLs in the cache. */
const TARGETS_CACHED_MAX = 1_000;

/**
 * The HTTP client for deliveries. It connects only to addresses that the network policy allows, and checks exactly the address that it connects
 * to. It follows no redirects, uses no proxy, decompresses nothing, and always verifies certificates.
 */
export class GuardedHttpClient {
  private readonly agent: Agent;
  private readonly targets = new LRUCache<string, Target>({ max: TARGETS_CACHED_MAX });
  private readonly followers = new WeakMap<AbortSignal, Set<Exchange>>();

  constructor(policy: NetworkPolicy, options: GuardedHttpClientOptions = {}) {
    this.agent = new Agent({
      connect: createGuardedConnector({
        policy,
        lookup: options.lookup ?? createHostLookup(),
        connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        tlsCa: options.tlsCa,
      }),
      connections: options.socketsPerOriginMax ?? SOCKETS_PER_ORIGIN_MAX,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_HINT_MAX_MS,
      clientTtl: CONNECTION_AGE_MAX_MS,
      maxHeaderSize: RESPONSE_HEADERS_MAX_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a POST request. The promise never rejects: every failure resolves to an outcome of the kind `error`. */
  post(url: string, post: PostRequest): Promise<HttpOutcome> {
    return new Promise((resolve) => {
      let unfollow: (() => void) | undefined;
      const exchange = new Exchange((outcome) => {
        clearTimeout(timer);
        unfollow?.();
        resolve(outcome);
      });
      const timer = setTimeout(() => exchange.stop(timeoutOf(post)), post.timeoutMs);
      if (post.signal?.aborted) return exchange.stop(ABORTED);
      if (post.signal) unfollow = this.follow(post.signal, exchange);
      try {
        const { origin, path } = this.targetOf(url);
        const headers = sendableHeaders(post.headers);
        exchange.begin(this.agent, { origin, path, method: 'POST', headers, body: post.body });
      } catch (error) {
        exchange.stop(error as Error);
      }
    });
  }

  /** Returns the parsed URL, from the cache if possible. @throws DeliveryRefused */
  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    // Stryker disable next-line ConditionalExpression: the cache only saves the time of parsing.
    if (known) return known;
    const target = deliveryTarget(url);
    this.targets.set(url, target);
    return target;
  }

  /**
   * Stops the exchange when the signal aborts. Returns a function that ends the subscription. All exchanges of a signal share one listener.
   */
  private follow(signal: AbortSignal, exchange: Exchange): () => void {
    let followers = this.followers.get(signal);
    if (!followers) {
      const all = new Set<Exchange>();
      signal.addEventListener('abort', () => all.forEach((each) => each.stop(ABORTED)));
      this.followers.set(signal, (followers = all));
    }
    followers.add(exchange);
    return () => void followers.delete(exchange);
  }

  /** Rejects further requests, waits for requests in progress (within their time limits), and closes all connections. */
  async close(): Promise<void> {
    if (!this.agent.closed) await this.agent.close();
  }
}

interface Target {
  readonly origin: string;
  readonly path: string;
}

const ABORTED = new DeliveryRefused('aborted', 'The delivery was stopped before a response arrived.');

function timeoutOf({ timeoutMs }: PostRequest): DeliveryRefused {
  return new DeliveryRefused('timeout', `The destination did not send a complete response within ${timeoutMs} ms.`);
}

/** Parses a URL, with the same parser that checked the URL when it was set. */
function deliveryTarget(url: string): Target {
  const target = parseUrl(url);
  if (!target) throw new DeliveryRefused('protocol', "The destination's URL is not valid.");
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    throw new DeliveryRefused('blocked', 'Deliveries require an https URL.');
  }
  if (target.username !== '' || target.password !== '') {
    throw new DeliveryRefused('blocked', "The destination's URL must not contain a user name or password.");
  }
  // A final dot is for DNS only; certificates and virtual hosts have none.
  target.hostname = target.hostname.replace(/\.$/, '');
  return { origin: target.origin, path: `${target.pathname}${target.search}` };
}

function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const reserved = Object.keys(headers).find(isTransportHeader);
  if (reserved)
    throw new DeliveryRefused('protocol', `The header "${reserved}" is set by the HTTP client and can't be overridden.`);
  return { 'accept-encoding': 'identity', ...headers };
}
