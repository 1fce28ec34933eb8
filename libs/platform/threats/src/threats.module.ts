import { Module } from '@nestjs/common';
import { ThreatCleanup } from './threat-cleanup.js';
import { ThreatDetectionService } from './threat-detection.service.js';
import { ThreatReportQuery } from './threat-report.query.js';

@Module({
  providers: [ThreatCleanup, ThreatDetectionService, ThreatReportQuery],
  exports: [ThreatDetectionService],
})
export class ThreatsModule {}
