import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ThreatDetectionService } from './threat-detection.service.js';

const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Deletes old reports every hour, in worker processes. */
@Injectable()
export class ThreatCleanup extends WorkerLoop {
  constructor(
    private readonly threatDetection: ThreatDetectionService,
    config: AppConfig,
  ) {
    super(config, ThreatCleanup.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.threatDetection.deleteOldReports(systemContext(newId('request')), BATCH_SIZE)) === BATCH_SIZE;
  }
}
