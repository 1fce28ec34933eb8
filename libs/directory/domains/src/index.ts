export { DomainsModule } from './domains.module.js';
export { DomainsService } from './domains.service.js';
