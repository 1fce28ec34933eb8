import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { PoolClient, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { writeTogether } from './pipelining.js';
import { poolOf } from './pool-of.js';
import { executeStatement } from './execute-statement.js';
import { statementName } from './statement-names.js';

/** Lookups are short, so few connections serve many requests. With a second connection, PostgreSQL can use a second processor. */
const CONNECTIONS = 2;

/**
 * Connections that all requests share for lookups by key, which take less than a millisecond. All lookups of one turn of the event loop are
 * sent to one of them in one write, without waiting for results (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html). Each statement is a
 * separate transaction. Do not execute statements that wait for a lock or read many rows, because all later statements would wait.
 */
@Injectable()
export class LookupConnections implements BeforeApplicationShutdown {
  private static readonly byDataSource = new WeakMap<DataSource, LookupConnections>();
  private readonly connections: SharedConnection[];
  private next = 0;
  /** Whether this turn of the event loop has a connection. */
  private isChosen = false;

  constructor(private readonly dataSource: DataSource) {
    this.connections = Array.from({ length: CONNECTIONS }, () => new SharedConnection(dataSource));
    LookupConnections.byDataSource.set(dataSource, this);
  }

  /** Returns the connections of a data source, or undefined after the shutdown of the application has started. */
  static of(dataSource: DataSource): LookupConnections | undefined {
    return this.byDataSource.get(dataSource);
  }

  query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (!this.isChosen) {
      this.isChosen = true;
      this.next = (this.next + 1) % this.connections.length;
      setImmediate(() => (this.isChosen = false));
    }
    return this.connections[this.next]!.query(text, values);
  }

  /** Returns the connections to the pool, so that the pool can end. Later lookups use the pool. */
  async beforeApplicationShutdown(): Promise<void> {
    LookupConnections.byDataSource.delete(this.dataSource);
    await Promise.all(this.connections.map((connection) => connection.release()));
  }
}

/** A connection from the pool. Opened at the first use and replaced after a loss. */
class SharedConnection {
  private client: Promise<PoolClient> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    this.client ??= this.connect();
    const client = await this.client;
    writeTogether(client, setImmediate);
    return executeStatement(client, text, values, statementName(text));
  }

  async release(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    this.client = undefined;
    client?.release();
  }

  private connect(): Promise<PoolClient> {
    const connecting = poolOf(this.dataSource)
      .connect()
      .then((client) => {
        const onLoss = (error?: Error): void => {
          if (this.client !== connecting) return;
          this.client = undefined;
          client.release(error ?? true);
        };
        // A connection that was lost before this line emits only `end`.
        client.on('error', onLoss).on('end', onLoss);
        return client;
      });
    connecting.catch(() => {
      if (this.client === connecting) this.client = undefined;
    });
    return connecting;
  }
}
