export { MachineClientGrants } from './machine-client-grants.js';
export { SetupLinksModule } from './setup-links.module.js';
