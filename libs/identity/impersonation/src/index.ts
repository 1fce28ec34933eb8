export { ImpersonationModule } from './impersonation.module.js';
