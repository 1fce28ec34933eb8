export * from './idempotency-errors.js';
export { SkipIdempotency } from './skip-idempotency.js';
export { Post } from './post.js';
