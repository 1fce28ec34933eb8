import { Injectable, Logger } from '@nestjs/common';

/** How long one check may take before it counts as failed. */
export const CHECK_TIMEOUT_MS = 2_000;

export type CheckResult = 'ok' | 'failed';

export interface Readiness {
  readonly status: 'ok' | 'failed' | 'shutting_down';
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Asks a part of the process whether it can work; throws if not. */
export type HealthCheck = () => Promise<void>;

interface Registered {
  readonly check: HealthCheck;
  readonly needed: boolean;
}

/** What must work for this process to take requests. Each part registers its own check: database, queue, migrations. */
@Injectable()
export class HealthChecks {
  private readonly logger = new Logger(HealthChecks.name);
  private readonly checks = new Map<string, Registered>();
  private readonly last = new Map<string, CheckResult>();
  private underWay: Promise<Readiness> | undefined;
  private shuttingDown = false;

  /**
   * What is not `needed` is shown, and the process is ready without it.
   * @throws Error when the name is taken
   */
  register(name: string, check: HealthCheck, { needed } = { needed: true }): void {
    if (this.checks.has(name)) throw new Error(`There is already a health check named "${name}".`);
    this.checks.set(name, { check, needed });
  }

  /** From now on the process is not ready, so that load balancers send no more requests while it finishes those it has. */
  beginShutdown(): void {
    this.shuttingDown = true;
  }

  /** Runs all checks. Callers that ask at the same time share one run, so that asking often costs nothing. */
  async readiness(): Promise<Readiness> {
    this.underWay ??= this.runAll().finally(() => {
      this.underWay = undefined;
    });
    const readiness = await this.underWay;
    return this.shuttingDown ? { ...readiness, status: 'shutting_down' } : readiness;
  }

  private async runAll(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, { check, needed }]) => ({ name, needed, result: await this.run(name, check) })),
    );
    const status = results.every(({ needed, result }) => result === 'ok' || !needed) ? 'ok' : 'failed';
    return { status, checks: Object.fromEntries(results.map(({ name, result }) => [name, result])) };
  }

  private async run(name: string, check: HealthCheck): Promise<CheckResult> {
    try {
      await withinTime(check);
      this.note(name, 'ok');
      return 'ok';
    } catch (error) {
      this.note(name, 'failed', error);
      return 'failed';
    }
  }

  /** Tells changes only: probes come every few seconds. */
  private note(name: string, result: CheckResult, error?: unknown): void {
    const before = this.last.get(name) ?? 'ok';
    this.last.set(name, result);
    if (before === result) return;
    if (result === 'ok') this.logger.log(`The health check "${name}" succeeds again.`);
    else this.logger.error(`The health check "${name}" fails.`, { err: error });
  }
}

async function withinTime(check: HealthCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${CHECK_TIMEOUT_MS} ms.`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
