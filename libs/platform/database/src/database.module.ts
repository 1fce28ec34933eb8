import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from '#platform/config';
import type { DataSourceOptions } from 'typeorm';
import { HistoryReconciliationQuery } from './history/history-reconciliation.query.js';
import { HistoryQuery } from './history/history.query.js';
import { LookupConnections } from './lookup-connections.js';
import { Notifications } from './notifications.js';
import { ReplicaConnections } from './replica-connections.js';
import { TransactionRunner } from './transaction-runner.js';

@Global()
@Module({})
export class DatabaseModule {
  /** The data source includes the entities that modules register with `TypeOrmModule.forFeature`. */
  static forRoot(options: (config: AppConfig) => DataSourceOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [AppConfig],
          useFactory: (config: AppConfig) => ({ ...options(config), autoLoadEntities: true, retryAttempts: 5, retryDelay: 500 }),
        }),
      ],
      providers: [
        HistoryQuery,
        HistoryReconciliationQuery,
        LookupConnections,
        ReplicaConnections,
        TransactionRunner,
        Notifications,
      ],
      exports: [HistoryQuery, HistoryReconciliationQuery, TransactionRunner, Notifications],
    };
  }
}
