export { GuardedHttpClient } from './guarded-http-client.js';
export { type HttpOutcome } from './http-outcome.js';
