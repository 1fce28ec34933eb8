import { Injectable, type OnModuleInit } from '@nestjs/common';
import { pendingMigrationCount } from '#platform/database';
import { HealthChecks } from '#platform/observability';
import { DataSource } from 'typeorm';

/** Reports not ready while the database does not answer or lacks migrations of this release. */
@Injectable()
export class DatabaseReadiness implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly health: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.health.register('database', async () => {
      await this.dataSource.query('SELECT 1');
    });
    this.health.register('migrations', async () => {
      const pendingCount = await pendingMigrationCount(this.dataSource);
      if (pendingCount > 0) throw new Error(`${pendingCount} migrations have not run yet.`);
    });
  }
}
