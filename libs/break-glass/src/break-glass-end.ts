import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { BreakGlass } from './break-glass.service.js';

const INTERVAL_MS = 5_000;
const BATCH = 100;

/** Notes in the worker which requests are over, and tells of it. The access ends without it. */
@Injectable()
export class BreakGlassEnd implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new BackgroundLoop('BreakGlassEnd', INTERVAL_MS, async () => {
    return (await this.breakGlass.closeOverdue(systemContext(newId('request')), BATCH)) === BATCH;
  });

  constructor(
    private readonly config: AppConfig,
    private readonly breakGlass: BreakGlass,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
