import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, newId, systemContext } from '#common';
import { AppConfig } from '#config';
import { ThreatDetection } from './threat-detection.service.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Removes notes of threats that no longer keep anything quiet, every hour, in the processes that do background work. */
@Injectable()
export class ThreatCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(ThreatCleanup.name, INTERVAL_MS, () => this.removeSome());

  constructor(
    private readonly threats: ThreatDetection,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async removeSome(): Promise<boolean> {
    return (await this.threats.forgetOld(systemContext(newId('request')), BATCH)) === BATCH;
  }
}
