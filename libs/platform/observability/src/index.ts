export { AppLogger, createLogger } from './app-logger.js';
export { HealthChecks } from './health-checks.js';
export { cachedFor } from './cached-for.js';
export { aggregateMetrics, MetricsService, type MetricsSnapshot } from './metrics.service.js';
export { ObservabilityModule } from './observability.module.js';
export { OverloadGuard } from './overload-guard.js';
export { requestLog } from './request-log.js';
export { requestTrace } from './tracing/request-trace.js';
export { Tracing } from './tracing/tracing.js';
