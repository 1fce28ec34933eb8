export * from './access/index.js';
export * from './api-keys/index.js';
export { AuthModule } from './auth.module.js';
export { ForwardedSignIns } from './client-address/forwarded-sign-ins.js';
export * from './operators/index.js';
export { UseRecords } from './use-records.js';
export { RateLimited } from './rate-limit/rate-limit-errors.js';
export { writeRateLimit } from './rate-limit/rate-limit.guard.js';
export { RateLimitService, type RateLimitState } from './rate-limit/rate-limit.service.js';
