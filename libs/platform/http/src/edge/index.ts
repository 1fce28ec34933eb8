export * from './address-group.js';
export { compressPages } from './compression.js';
export * from './encoded-url.middleware.js';
export * from './json-body.middleware.js';
export * from './request-context.middleware.js';
export * from './security-headers.middleware.js';
export { JsonAdapter } from './json-adapter.js';
