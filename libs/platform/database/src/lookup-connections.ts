import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { PoolClient, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { writeTogether } from './pipelining.js';
import { poolOf } from './pool-of.js';
import { statementName, statementOf } from './statement-names.js';

/** Look-ups are short, so that few connections serve many requests at once; a second one lets PostgreSQL use a second processor. */
const CONNECTIONS = 2;

/**
 * Connections that all requests share for look-ups by key, which take well under a millisecond each: what is asked within one turn of the
 * event loop goes out in one write, without waiting for answers (pipelining, https://www.postgresql.org/docs/current/libpq-pipeline-mode.html).
 * Each statement is on its own, as with a connection of the pool. Nothing may run here that waits for a lock or reads many rows, since all
 * behind it would wait as well.
 */
@Injectable()
export class LookupConnections implements BeforeApplicationShutdown {
  private static readonly ofDataSource = new WeakMap<DataSource, LookupConnections>();
  private readonly connections: SharedConnection[];
  private next = 0;

  constructor(private readonly dataSource: DataSource) {
    this.connections = Array.from({ length: CONNECTIONS }, () => new SharedConnection(dataSource));
    LookupConnections.ofDataSource.set(dataSource, this);
  }

  /** Those that belong to a data source, while the application is not shutting down. */
  static of(dataSource: DataSource): LookupConnections | undefined {
    return this.ofDataSource.get(dataSource);
  }

  /** Runs a prepared statement. */
  query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.next = (this.next + 1) % this.connections.length;
    return this.connections[this.next]!.query(text, values);
  }

  /** Gives the connections back, so that the pool can end; what is asked from now on goes through the pool. */
  async beforeApplicationShutdown(): Promise<void> {
    LookupConnections.ofDataSource.delete(this.dataSource);
    await Promise.all(this.connections.map((connection) => connection.release()));
  }
}

/** A connection taken from the pool at the first use, and anew after it was lost. */
class SharedConnection {
  private client: Promise<PoolClient> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.client ??= this.connect();
    const client = await this.client;
    writeTogether(client, setImmediate);
    return client.query(statementOf(text, values, statementName(text)));
  }

  async release(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    this.client = undefined;
    client?.release();
  }

  private connect(): Promise<PoolClient> {
    const taken = poolOf(this.dataSource)
      .connect()
      .then((client) => {
        const lost = (error?: Error): void => {
          if (this.client !== taken) return;
          this.client = undefined;
          client.release(error ?? true);
        };
        // One that was lost before it came here only ends.
        client.on('error', lost).on('end', lost);
        return client;
      });
    taken.catch(() => {
      if (this.client === taken) this.client = undefined;
    });
    return taken;
  }
}
