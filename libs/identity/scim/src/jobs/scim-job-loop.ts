import { Injectable, Logger } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ScimActivationService } from '#directory/scim-connections';
import { ScimJobsService } from './scim-jobs.service.js';

const INTERVAL_MS = 2_000;
const MAX_CONNECTIONS = 20;

/** Runs the background jobs of connections, in worker processes. */
@Injectable()
export class ScimJobLoop extends WorkerLoop {
  private readonly logger = new Logger(ScimJobLoop.name);

  constructor(
    config: AppConfig,
    private readonly activation: ScimActivationService,
    private readonly jobs: ScimJobsService,
  ) {
    super(config, 'ScimJobs', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    let isMore = false;
    for (const connection of await this.activation.listJobs(ctx, MAX_CONNECTIONS)) {
      try {
        if (await this.jobs.runBatch(connection, ctx)) isMore = true;
      } catch (error) {
        // The jobs of other connections continue.
        this.logger.error({ err: error, connectionId: connection.id }, 'A job of a SCIM connection failed.');
      }
    }
    return isMore;
  }
}
