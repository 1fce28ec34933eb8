import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppConfig } from '#platform/config';
import { Client } from 'pg';

type Handler = (payload: string) => void;
const RECONNECT_DELAY_MS = 500;
/**
 * The time between two statements with notifications. The first notification is sent immediately. Under load, each statement for a single
 * notification would cost PostgreSQL a tenth of the change that it announces.
 */
const SEND_INTERVAL_MS = 5;

/**
 * Sends and receives PostgreSQL notifications on a separate connection, because NOTIFY in a transaction takes a database-wide lock until
 * the commit. Notifications can be lost. Code that depends on notifications must also poll, or check `connected`.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<string, Handler[]>();
  private readonly unsent = new Map<string, Set<string>>();
  private readonly scheduled = new Set<string>();
  private readonly reconnectHandlers: (() => void)[] = [];
  private client?: Client;
  private isSending = false;
  private isStopped = false;
  private isLost = false;
  private isConnected = false;

  constructor(private readonly config: AppConfig) {}

  /** Whether this process currently receives notifications of other processes. */
  get connected(): boolean {
    return this.isConnected;
  }

  /** Calls `handler` for each notification on a channel, from any process. Must be called before the application starts. */
  on(channel: string, handler: Handler): void {
    this.handlers.set(channel, [...(this.handlers.get(channel) ?? []), handler]);
    if (this.isConnected) void this.client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  /** Calls `handler` after each connect and reconnect. Notifications between two connections are lost. */
  onReconnect(handler: () => void): void {
    this.reconnectHandlers.push(handler);
  }

  /**
   * Notifies all processes, without waiting. Sends equal unsent notifications once. Calls the handlers of this process without a round
   * trip.
   */
  notify(channel: string, payload = ''): void {
    const payloads = this.unsent.get(channel) ?? new Set<string>();
    payloads.add(payload);
    this.unsent.set(channel, payloads);
    this.scheduleHandlers(channel, payload);
    void this.send();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.isConnected = false;
    await this.client?.end().catch(() => undefined);
  }

  private scheduleHandlers(channel: string, payload: string): void {
    const key = `${channel} ${payload}`;
    if (this.scheduled.has(key)) return;
    this.scheduled.add(key);
    setImmediate(() => {
      this.scheduled.delete(key);
      this.handle(channel, payload);
    });
  }

  private handle(channel: string, payload: string): void {
    if (!this.isStopped) this.handlers.get(channel)?.forEach((handler) => handler(payload));
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'notifications',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', (error) => this.onLoss(client, error));
    client.on('end', () => this.onLoss(client));
    client.on('notification', ({ processId, channel, payload }) => {
      // This process has already handled its own notifications in `notify`.
      if (processId !== backendIdOf(client)) this.handle(channel, payload ?? '');
    });
    this.client = client;
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      this.isConnected = true;
      if (this.isLost) this.logger.log('PostgreSQL is available again.');
      this.isLost = false;
      this.reconnectHandlers.forEach((handler) => handler());
      void this.send();
    } catch (error) {
      this.onLoss(client, error as Error);
    }
  }

  private onLoss(client: Client, error?: Error): void {
    if (this.client !== client || this.isStopped) return;
    this.client = undefined;
    this.isConnected = false;
    if (!this.isLost)
      this.logger.warn({ err: error ?? new Error('Connection terminated') }, 'Lost the notification connection; reconnecting.');
    this.isLost = true;
    client.end().catch(() => undefined);
    setTimeout(() => {
      if (!this.isStopped) void this.connect();
    }, RECONNECT_DELAY_MS).unref();
  }

  private async send(): Promise<void> {
    if (this.isSending || !this.isConnected) return;
    this.isSending = true;
    try {
      while (this.unsent.size > 0 && this.client && this.isConnected) {
        const batch = [...this.unsent].flatMap(([channel, payloads]) => [...payloads].map((payload) => ({ channel, payload })));
        this.unsent.clear();
        await this.client.query({
          name: 'notify',
          text: 'SELECT pg_notify(n->>0, n->>1) FROM jsonb_array_elements($1::jsonb) n',
          values: [JSON.stringify(batch.map(({ channel, payload }) => [channel, payload]))],
        });
        await sleep(SEND_INTERVAL_MS);
      }
    } catch {
      // The notifications are lost. Listeners poll, or distrust their caches until the reconnect.
    } finally {
      this.isSending = false;
    }
  }
}

/** Returns the ID of the server process of a connection. Notifications contain this ID as their sender. */
const backendIdOf = (client: Client): number | null => (client as unknown as { processID: number | null }).processID;
