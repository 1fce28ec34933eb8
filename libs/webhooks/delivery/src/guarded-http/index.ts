export { GuardedHttpClient } from './guarded-http-client.js';
