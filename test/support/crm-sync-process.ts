import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '#platform/config';
import { ServerModule } from '../../apps/server/src/server.module.js';
import { CrmSyncModule } from '../../examples/crm-sync.module.js';

/** A process of the service with the module in docs/guides/event-subscribers.md. Tests kill the process. */
@Module({})
class WithCrmSync {
  static forRoot(): DynamicModule {
    return { module: WithCrmSync, imports: [ServerModule.forRoot(loadConfig(process.env)), CrmSyncModule] };
  }
}

const app = await NestFactory.createApplicationContext(WithCrmSync.forRoot(), { logger: ['error', 'warn'] });
process.on('SIGTERM', () => void app.close());
console.log('ready');
