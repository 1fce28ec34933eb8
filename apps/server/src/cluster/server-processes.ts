import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppLogger } from '#platform/observability';
import { StartFailure } from '../start-failure.js';
import { onMessage } from './messages.js';
import { restartPauseMs } from './restart-pause.js';

/** The time that a process has to close its connections after the shutdown timeout. */
const KILL_MARGIN_MS = 2_500;

/** The forked processes that serve one port together. A process that exits is restarted. */
export class ServerProcesses {
  private readonly readyProcesses = new Set<Worker>();
  private stopping = false;

  /** @param environment variables of the processes in addition to the environment of this process */
  constructor(
    private readonly count: number,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly logger: AppLogger,
  ) {}

  get ready(): readonly Worker[] {
    return [...this.readyProcesses];
  }

  /**
   * Starts the first process, which prints the welcome message, and then all other processes. Resolves when the first process is
   * ready.
   * @throws StartFailure if the first process exits before it is ready. The process has printed the reason.
   */
  async start(): Promise<void> {
    const first = this.fork();
    await this.untilStarted(first);
    if (this.stopping) return;
    void this.keepRunning(first);
    for (let index = 1; index < this.count; index++) void this.keepRunning(this.fork());
  }

  /** Stops all processes gracefully. Kills processes that take longer than `timeoutMs` and a margin. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];
    const signalAll = (signal: NodeJS.Signals): void => running.forEach((worker) => worker.process.kill(signal));
    const kill = setTimeout(signalAll, timeoutMs + KILL_MARGIN_MS, 'SIGKILL');
    const ended = Promise.all(running.map((worker) => once(worker, 'exit')));
    signalAll('SIGTERM');
    await ended;
    clearTimeout(kill);
  }

  private fork(): Worker {
    const worker = cluster.fork(this.environment);
    onMessage(worker, 'started', () => {
      this.readyProcesses.add(worker);
      this.logger.log(`Process ${worker.process.pid} is ready.`);
    });
    worker.once('exit', () => this.readyProcesses.delete(worker));
    return worker;
  }

  private untilStarted(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      onMessage(worker, 'started', () => resolve());
      worker.once('exit', (code, signal) =>
        reject(new StartFailure(`The first of ${this.count} processes exited before it was ready (${reasonOf(code, signal)}).`)),
      );
    });
  }

  /** Restarts the process after each exit, until `stop`. */
  private async keepRunning(worker: Worker): Promise<void> {
    let pauseMs = 0;
    for (let current = worker; ; current = this.fork()) {
      const startedAtMs = performance.now();
      const [code, signal] = (await once(current, 'exit')) as [number, NodeJS.Signals | null];
      if (this.stopping) return;
      pauseMs = restartPauseMs(performance.now() - startedAtMs, pauseMs);
      this.logger.error(
        `Process ${current.process.pid} exited (${reasonOf(code, signal)}); starting another one in ${pauseMs} ms.`,
      );
      await sleep(pauseMs);
      if (this.stopping) return;
    }
  }
}

/** A process terminated by a signal has no exit code. */
function reasonOf(code: number | null, signal: NodeJS.Signals | string | null): string {
  return signal ? String(signal) : `exit code ${code}`;
}
