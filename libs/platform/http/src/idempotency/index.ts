export * from './idempotency-errors.js';
export { ReplayAuthorizationService } from './replay-authorization.service.js';
export { SkipIdempotency } from './skip-idempotency.js';
export { Post } from './post.js';
