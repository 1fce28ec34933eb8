export * from './access/index.js';
export * from './api-keys/index.js';
export { AuthModule } from './auth.module.js';
export * from './operators/index.js';
export { RateLimited } from './rate-limit/rate-limited.js';
export { RateLimits, type RateLimitStanding } from './rate-limit/rate-limits.js';
