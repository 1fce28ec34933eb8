export { ThreatDetectionService } from './threat-detection.service.js';
export { ThreatsModule } from './threats.module.js';
