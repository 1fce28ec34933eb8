import { Injectable, Logger } from '@nestjs/common';

/** Timeout of a check in milliseconds. */
export const CHECK_TIMEOUT_MS = 2_000;

export type CheckResult = 'ok' | 'failed';

export interface Readiness {
  readonly status: 'ok' | 'failed' | 'shutting_down';
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Checks a dependency. Throws if the dependency does not work. */
export type HealthCheck = () => Promise<void>;

interface Registered {
  readonly check: HealthCheck;
  readonly isRequired: boolean;
}

/** Checks the dependencies of this process: database, queue, migrations. Each library registers its checks. */
@Injectable()
export class HealthChecks {
  private readonly logger = new Logger(HealthChecks.name);
  private readonly checks = new Map<string, Registered>();
  private readonly previous = new Map<string, CheckResult>();
  private running: Promise<Readiness> | undefined;
  private shuttingDown = false;

  /**
   * Registers a check. The failure of an optional check is reported but does not affect readiness.
   * @throws Error if a check with this name exists
   */
  register(name: string, check: HealthCheck, { isRequired } = { isRequired: true }): void {
    if (this.checks.has(name)) throw new Error(`There is already a health check named "${name}".`);
    this.checks.set(name, { check, isRequired });
  }

  /** Makes the process not ready, so that load balancers send no more requests while the process finishes its current requests. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  /** Runs all checks. Simultaneous callers share one run. */
  async readiness(): Promise<Readiness> {
    this.running ??= this.runAll().finally(() => {
      this.running = undefined;
    });
    const readiness = await this.running;
    return this.shuttingDown ? { ...readiness, status: 'shutting_down' } : readiness;
  }

  private async runAll(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, { check, isRequired }]) => ({ name, isRequired, result: await this.run(name, check) })),
    );
    const status = results.every(({ isRequired, result }) => result === 'ok' || !isRequired) ? 'ok' : 'failed';
    return { status, checks: Object.fromEntries(results.map(({ name, result }) => [name, result])) };
  }

  private async run(name: string, check: HealthCheck): Promise<CheckResult> {
    try {
      await withinTime(check);
      this.logChange(name, 'ok');
      return 'ok';
    } catch (error) {
      this.logChange(name, 'failed', error);
      return 'failed';
    }
  }

  /** Logs only changes, because probes run every few seconds. */
  private logChange(name: string, result: CheckResult, error?: unknown): void {
    const before = this.previous.get(name) ?? 'ok';
    this.previous.set(name, result);
    if (before === result) return;
    if (result === 'ok') this.logger.log(`The health check "${name}" succeeds again.`);
    else
      this.logger.error(`The health check "${name}" fails.`, { reason: error instanceof Error ? error.message : String(error) });
  }
}

async function withinTime(check: HealthCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${CHECK_TIMEOUT_MS} ms.`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
