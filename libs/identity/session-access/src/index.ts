export { SessionAccessModule } from './session-access.module.js';
