import { Logger } from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

const MAX_RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The connections of a library to one Redis server or, with several URLs, to a cluster. They reconnect until they are closed. The loss of
 * the connections and the reconnect are logged in one line each.
 */
export class RedisConnections {
  private readonly logger = new Logger('Redis');
  private readonly clients: (Redis | Cluster)[] = [];
  private lost = false;
  private closed = false;

  /** `consequence` is a sentence for the log that says what happens while the connections are lost. */
  constructor(
    private readonly urls: readonly string[],
    private readonly options: RedisOptions,
    private readonly consequence: string,
  ) {}

  /** Returns the delay before a reconnect, in milliseconds, or null after `close()`, which ends the reconnects. */
  private readonly reconnectDelayMs = (times: number): number | null =>
    this.closed ? null : Math.min(times * 100, MAX_RECONNECT_DELAY_MS);

  /** Opens another connection. Its errors are logged and never end the process. @throws Error without a URL */
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
    // Bull can open connections again while it is being closed.
    client.on('connect', () => {
      if (this.closed) client.disconnect();
    });
    if (this.closed) client.disconnect();
    return client as Redis;
  }

  /** Whether all connections are ready, so that commands are sent immediately. */
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
