import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BreakGlassService } from './break-glass.service.js';

const INTERVAL_MS = 5_000;
const BATCH_SIZE = 100;

/** Updates the status of expired requests and publishes the events, in worker processes. Access ends on time without this service. */
@Injectable()
export class BreakGlassExpiryService extends WorkerLoop {
  constructor(
    config: AppConfig,
    private readonly breakGlass: BreakGlassService,
  ) {
    super(config, 'BreakGlassExpiry', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    return (await this.breakGlass.closeOverdue(systemContext(newId('request')), BATCH_SIZE)) === BATCH_SIZE;
  }
}
