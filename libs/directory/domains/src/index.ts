export { DomainsModule } from './domains.module.js';
