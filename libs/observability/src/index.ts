export { AppLogger, createLogger, type LogFields } from './app-logger.js';
export { type CheckResult, type HealthCheck, HealthChecks, type Readiness } from './health-checks.js';
export { HealthController } from './health.controller.js';
export { LivenessResponse, ReadinessResponse } from './health.responses.js';
export { MetricsController } from './metrics.controller.js';
export { aggregateMetrics, MetricsService, type MetricsSnapshot } from './metrics.service.js';
export { ObservabilityModule } from './observability.module.js';
export { redactFields, redactText } from './redaction.js';
export { requestLog } from './request-log.js';
