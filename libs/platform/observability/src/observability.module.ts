import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { AppLogger, createLogger } from './app-logger.js';
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
export class ObservabilityModule {}
