import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { Client } from 'pg';

type Handler = (payload: string) => void;
const RECONNECT_DELAY_MS = 500;

/**
 * LISTEN and NOTIFY on a connection of their own. Never inside a writer's transaction, where NOTIFY takes a database-wide lock until
 * the commit. A notification is a hint that may be lost: who depends on it polls as well, or looks at `connected`.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<string, Handler[]>();
  private readonly waiting = new Map<string, Set<string>>();
  private readonly saidHere = new Set<string>();
  private readonly reconnectHandlers: (() => void)[] = [];
  private client?: Client;
  private sending = false;
  private stopped = false;
  private connectedNow = false;

  constructor(private readonly config: AppConfig) {}

  /** Whether notifications of others are being received right now. */
  get connected(): boolean {
    return this.connectedNow;
  }

  /** Calls `handler` for each notification on the channel, from this process or another. Call before the application starts. */
  on(channel: string, handler: Handler): void {
    this.handlers.set(channel, [...(this.handlers.get(channel) ?? []), handler]);
    if (this.connectedNow) void this.client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  /** Calls `handler` whenever the connection stands again after a loss: what was said meanwhile went unheard. */
  onReconnect(handler: () => void): void {
    this.reconnectHandlers.push(handler);
  }

  /** Tells all processes, soon and without waiting; the same words said several times at once are sent once. This one hears it first. */
  notify(channel: string, payload = ''): void {
    const payloads = this.waiting.get(channel) ?? new Set<string>();
    payloads.add(payload);
    this.waiting.set(channel, payloads);
    this.tellHere(channel, payload);
    void this.send();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.connectedNow = false;
    await this.client?.end().catch(() => undefined);
  }

  private tellHere(channel: string, payload: string): void {
    const words = `${channel} ${payload}`;
    if (this.saidHere.has(words)) return;
    this.saidHere.add(words);
    setImmediate(() => {
      this.saidHere.delete(words);
      this.hear(channel, payload);
    });
  }

  private hear(channel: string, payload: string): void {
    if (!this.stopped) this.handlers.get(channel)?.forEach((handler) => handler(payload));
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'notifications',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ processId, channel, payload }) => {
      // What this process said it has heard already.
      if (processId !== backendOf(client)) this.hear(channel, payload ?? '');
    });
    this.client = client;
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${channel}`);
      this.connectedNow = true;
      this.reconnectHandlers.forEach((handler) => handler());
      void this.send();
    } catch (error) {
      this.lost(client, error as Error);
    }
  }

  private lost(client: Client, error?: Error): void {
    if (this.client !== client || this.stopped) return;
    this.client = undefined;
    this.connectedNow = false;
    this.logger.warn(`Lost the notification connection (${error?.message ?? 'closed'}); reconnecting.`);
    client.end().catch(() => undefined);
    setTimeout(() => {
      if (!this.stopped) void this.connect();
    }, RECONNECT_DELAY_MS).unref();
  }

  private async send(): Promise<void> {
    if (this.sending || !this.connectedNow) return;
    this.sending = true;
    try {
      while (this.waiting.size > 0 && this.client && this.connectedNow) {
        const batch = [...this.waiting].flatMap(([channel, payloads]) => [...payloads].map((payload) => ({ channel, payload })));
        this.waiting.clear();
        await this.client.query('SELECT pg_notify(n->>0, n->>1) FROM jsonb_array_elements($1::jsonb) n', [
          JSON.stringify(batch.map(({ channel, payload }) => [channel, payload])),
        ]);
      }
    } catch {
      // The hint is lost with the connection; listeners poll or distrust their caches meanwhile.
    } finally {
      this.sending = false;
    }
  }
}

/** The server process behind a connection, which notifications name as their sender. */
const backendOf = (client: Client): number | null => (client as unknown as { processID: number | null }).processID;
