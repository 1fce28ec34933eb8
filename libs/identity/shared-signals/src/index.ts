import './shared-signals.definitions.js';

export { SharedSignalsModule } from './shared-signals.module.js';
