import './logout.definitions.js';

export { LogoutModule } from './logout.module.js';
