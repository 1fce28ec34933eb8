export { type Threat, ThreatDetectionService, type ThreatRule } from './threat-detection.service.js';
export { ThreatsModule } from './threats.module.js';
