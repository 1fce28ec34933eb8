import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId, systemContext } from '#platform/common';
import { BaseQuery, pendingMigrationCount, row } from '#platform/database';
import { HealthChecks } from '#platform/observability';
import { DataSource } from 'typeorm';

/** Reports the service as not ready while the database does not respond or lacks migrations of this release. */
@Injectable()
export class DatabaseReadinessQuery extends BaseQuery implements OnModuleInit {
  constructor(
    private readonly migrated: DataSource,
    private readonly health: HealthChecks,
  ) {
    super(migrated);
  }

  onModuleInit(): void {
    this.health.register('database', async () => {
      await this.query(systemContext(newId('request')), row({}), 'SELECT', [], { prepared: true });
    });
    this.health.register('migrations', async () => {
      const pendingCount = await pendingMigrationCount(this.migrated);
      if (pendingCount > 0) throw new Error(`${pendingCount} migrations have not run yet.`);
    });
  }
}
