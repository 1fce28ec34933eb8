export { SetupLinksModule } from './setup-links.module.js';
