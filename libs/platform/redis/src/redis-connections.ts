import { Logger } from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

const MAX_RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The connections of a library to one Redis server or, with several URLs, to a cluster. Reconnects until `close()`. Logs one line when
 * connections are lost and one line when all connections are ready again.
 */
export class RedisConnections {
  private readonly logger = new Logger('Redis');
  private readonly clients: (Redis | Cluster)[] = [];
  private lost = false;
  private closed = false;

  /** `consequence` is a sentence for the log about the effect of lost connections. */
  constructor(
    private readonly urls: readonly string[],
    private readonly options: RedisOptions,
    private readonly consequence: string,
  ) {}

  /** Returns the delay before a reconnect, in milliseconds, or null after `close()`. */
  private readonly reconnectDelayMs = (times: number): number | null =>
    this.closed ? null : Math.min(times * 100, MAX_RECONNECT_DELAY_MS);

  /** Opens a connection. Connection errors are logged and never end the process. @throws Error without a URL */
  open(): Redis {
    const [url] = this.urls;
    if (!url) throw new Error('REDIS_URL is not set.');
    const client =
      this.urls.length === 1
        ? new Redis(url, { connectTimeout: CONNECT_TIMEOUT_MS, ...this.options, retryStrategy: this.reconnectDelayMs })
        : this.cluster(url);
    client.on('error', (error: Error) => this.logLoss(error));
    client.on('ready', () => this.logReady());
    this.clients.push(client);
    // Bull can open connections while it is closing.
    client.on('connect', () => {
      if (this.closed) client.disconnect();
    });
    if (this.closed) client.disconnect();
    return client as Redis;
  }

  /** Whether all connections can send commands immediately. */
  get ready(): boolean {
    return !this.closed && this.clients.length > 0 && this.clients.every(({ status }) => status === 'ready');
  }

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }

  private cluster(url: string): Cluster {
    const first = new URL(url);
    return new Cluster([...this.urls], {
      clusterRetryStrategy: this.reconnectDelayMs,
      enableReadyCheck: this.options.enableReadyCheck ?? true,
      enableOfflineQueue: this.options.enableOfflineQueue ?? true,
      redisOptions: {
        connectTimeout: CONNECT_TIMEOUT_MS,
        ...this.options,
        ...(first.username ? { username: decodeURIComponent(first.username) } : {}),
        ...(first.password ? { password: decodeURIComponent(first.password) } : {}),
        ...(first.protocol === 'rediss:' ? { tls: {} } : {}),
      },
    });
  }

  private logLoss(error: Error): void {
    if (this.lost || this.closed) return;
    this.lost = true;
    this.logger.warn(`Redis does not respond (${error.message || 'connection failed'}); reconnecting. ${this.consequence}`);
  }

  private logReady(): void {
    if (!this.lost || !this.ready) return;
    this.lost = false;
    this.logger.log('Redis responds again.');
  }
}
