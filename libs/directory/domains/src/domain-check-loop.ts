import { Injectable } from '@nestjs/common';
import { newId, systemContext, WorkerLoop } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainRepository } from './domain.repository.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 100;
/** DNS servers that don't answer take seconds, so that one after another would delay the domains of all tenants. */
const CONCURRENT_CHECKS = 10;

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
    for (let start = 0; start < due.length; start += CONCURRENT_CHECKS)
      await Promise.all(due.slice(start, start + CONCURRENT_CHECKS).map((key) => this.checks.checkDue(ctx, key)));
    return due.length === BATCH_SIZE;
  }
}
