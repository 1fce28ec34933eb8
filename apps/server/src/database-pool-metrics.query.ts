import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { poolOf } from '#platform/database';
import { MetricsService } from '#platform/observability';
import { DataSource } from 'typeorm';

/** Reads the usage of the pool of database connections, for metrics and overload protection. */
@Injectable()
export class DatabasePoolMetricsQuery {
  constructor(
    metrics: MetricsService,
    private readonly dataSource: DataSource,
    { databasePoolSize }: AppConfig,
  ) {
    const waiting = (): number => this.waitingRequests;
    metrics.gauge({
      name: 'database_pool_connections',
      help: 'Open connections of the pool, by state: used or idle.',
      labelNames: ['state'],
      collect() {
        const { totalCount, idleCount } = poolOf(dataSource);
        this.set({ state: 'used' }, totalCount - idleCount);
        this.set({ state: 'idle' }, idleCount);
      },
    });
    metrics.gauge({
      name: 'database_pool_waiting_requests',
      help: 'Pieces of work that wait for a connection of the pool.',
      collect() {
        this.set(waiting());
      },
    });
    metrics
      .gauge({ name: 'database_pool_connections_max', help: 'How many connections the pool opens at most.' })
      .set(databasePoolSize);
  }

  /** Returns the number of requests that wait for a connection. */
  get waitingRequests(): number {
    return poolOf(this.dataSource).waitingCount;
  }
}
