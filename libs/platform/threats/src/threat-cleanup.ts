import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ThreatDetectionService } from './threat-detection.service.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes notes of threats that no longer keep anything quiet, every hour, in the processes that do background work. */
@Injectable()
export class ThreatCleanup extends WorkerLoop {
  constructor(
    private readonly threats: ThreatDetectionService,
    config: AppConfig,
  ) {
    super(config, ThreatCleanup.name, INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.threats.forgetOld(systemContext(newId('request')), BATCH)) === BATCH;
  }
}
