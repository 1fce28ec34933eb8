import { Logger } from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

const LONGEST_RECONNECT_DELAY_MS = 1_000;

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The connections of one user of Redis: to one server, or with several addresses to a cluster. They reconnect for ever; a loss and its
 * end are logged in one line each, with what it means for the user.
 */
export class RedisConnections {
  private readonly logger = new Logger('Redis');
  private readonly clients: (Redis | Cluster)[] = [];
  private lost = false;
  private closed = false;

  /** `consequence` is what a loss means, said in the log: a whole sentence. */
  constructor(
    private readonly urls: readonly string[],
    private readonly options: RedisOptions,
    private readonly consequence: string,
  ) {}

  /** For ever, until closed. */
  private readonly reconnectDelayMs = (times: number): number | null =>
    this.closed ? null : Math.min(times * 100, LONGEST_RECONNECT_DELAY_MS);

  /** Opens one more connection; what goes wrong with it is never thrown at the process. */
  open(): Redis {
    const [url] = this.urls;
    if (!url) throw new Error('REDIS_URL is not set.');
    const client =
      this.urls.length === 1
        ? new Redis(url, { connectTimeout: CONNECT_TIMEOUT_MS, ...this.options, retryStrategy: this.reconnectDelayMs })
        : this.cluster();
    client.on('error', (error: Error) => this.noteLoss(error));
    client.on('ready', () => this.noteReady());
    this.clients.push(client);
    // Bull opens connections, or opens them again, when it needs them, which may be while it is being closed.
    client.on('connect', () => {
      if (this.closed) client.disconnect();
    });
    if (this.closed) client.disconnect();
    return client as Redis;
  }

  /** Whether commands sent now go out at once instead of waiting for Redis to come back. */
  get ready(): boolean {
    return !this.closed && this.clients.length > 0 && this.clients.every(({ status }) => status === 'ready');
  }

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }

  private cluster(): Cluster {
    const first = new URL(this.urls[0]!);
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

  private noteLoss(error: Error): void {
    if (this.lost || this.closed) return;
    this.lost = true;
    this.logger.warn(`Redis does not respond (${error.message || 'connection failed'}); reconnecting. ${this.consequence}`);
  }

  private noteReady(): void {
    if (!this.lost || !this.ready) return;
    this.lost = false;
    this.logger.log('Redis responds again.');
  }
}
