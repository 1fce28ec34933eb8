import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { AppLogger, createLogger } from './app-logger.js';
import { Build } from './build.js';
import { EventLoopWatchdog } from './event-loop-watchdog.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { OverloadGuard } from './overload-guard.js';
import { Tracing } from './tracing/tracing.js';

@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: AppLogger, inject: [AppConfig], useFactory: (config: AppConfig) => createLogger(config.logLevel) },
    { provide: Tracing, inject: [AppConfig], useFactory: (config: AppConfig) => Tracing.of(config) },
    EventLoopWatchdog,
    HealthChecks,
    MetricsService,
    OverloadGuard,
  ],
  exports: [AppLogger, EventLoopWatchdog, HealthChecks, MetricsService, OverloadGuard, Tracing],
})
export class ObservabilityModule {
  constructor(metrics: MetricsService, { version, commit }: Build, health: HealthChecks, { outages }: AppLogger) {
    metrics
      .gauge({
        name: 'service_build_info',
        help: 'The version of the service and the commit that it was built from. Always 1.',
        labelNames: ['version', 'commit'],
        aggregator: 'first',
      })
      .set({ version, commit }, 1);
    // Optional, because reads work while the disk is full.
    health.register(
      'disk',
      () => (outages.isRecent('disk_full') ? Promise.reject(new Error('The disk of PostgreSQL is full.')) : Promise.resolve()),
      { isRequired: false },
    );
  }

  static forRoot(build: Build): DynamicModule {
    return { module: ObservabilityModule, providers: [{ provide: Build, useValue: build }] };
  }
}
