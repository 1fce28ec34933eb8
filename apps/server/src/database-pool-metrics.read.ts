import { Injectable } from '@nestjs/common';
import { AppConfig } from '#config';
import { MetricsService } from '#observability';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** Shows how much of the pool of database connections is in use, asked for when metrics are read. */
@Injectable()
export class DatabasePoolMetrics {
  constructor(metrics: MetricsService, dataSource: DataSource, { databasePoolSize }: AppConfig) {
    const pool = () => (dataSource.driver as PostgresDriver).master as Pool;
    metrics.gauge({
      name: 'database_pool_connections',
      help: 'Open connections of the pool, by state: used or idle.',
      labelNames: ['state'],
      collect() {
        const { totalCount, idleCount } = pool();
        this.set({ state: 'used' }, totalCount - idleCount);
        this.set({ state: 'idle' }, idleCount);
      },
    });
    metrics.gauge({
      name: 'database_pool_waiting_requests',
      help: 'Pieces of work that wait for a connection of the pool.',
      collect() {
        this.set(pool().waitingCount);
      },
    });
    metrics
      .gauge({ name: 'database_pool_connections_max', help: 'How many connections the pool opens at most.' })
      .set(databasePoolSize);
  }
}
