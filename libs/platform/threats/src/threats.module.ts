import { Module } from '@nestjs/common';
import { ThreatCleanup } from './threat-cleanup.js';
import { ThreatDetectionService } from './threat-detection.service.js';
import { ThreatReportRepository } from './threat-report.repository.js';

/** Tells of what looks like an attack; each lib that can notice one reports it here. */
@Module({
  providers: [ThreatCleanup, ThreatDetectionService, ThreatReportRepository],
  exports: [ThreatDetectionService],
})
export class ThreatsModule {}
