export { BreakGlassModule } from './break-glass.module.js';
