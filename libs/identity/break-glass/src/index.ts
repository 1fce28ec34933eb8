export { BreakGlassRequest } from './break-glass-request.entity.js';
export { BreakGlassModule } from './break-glass.module.js';
