import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainRepository } from './domain.repository.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 100;

/** Checks the domains whose check is due, in worker processes. */
@Injectable()
export class DomainCheckLoop extends WorkerLoop {
  constructor(
    config: AppConfig,
    private readonly work: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly checks: DomainChecksService,
  ) {
    super(config, 'DomainChecks', INTERVAL_MS);
  }

  async run(): Promise<boolean> {
    const ctx = systemContext(newId('request'));
    const due = await this.domains.listDue(ctx, this.work.now(), BATCH_SIZE);
    for (const key of due) await this.checks.checkDue(ctx, key);
    return due.length === BATCH_SIZE;
  }
}
