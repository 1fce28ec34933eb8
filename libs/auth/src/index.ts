export * from './access/index.js';
export * from './api-keys/index.js';
export { AuthModule } from './auth.module.js';
