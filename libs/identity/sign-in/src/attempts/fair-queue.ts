import { QueueFull, type ConcurrencyLimits } from '#platform/crypto';

export interface WorkOrigin {
  readonly tenant: string;
  readonly address: string;
}

interface Waiting {
  readonly keys: readonly string[];
  start(): void;
}

/** The state of a tenant or an address with waiting or running work. */
interface Share {
  pending: number;
  /** The turn in which work of the tenant or address last started. */
  lastTurn: number;
}

/**
 * Runs at most `concurrency` pieces of work concurrently. Tenants and IP addresses take turns: the next work is from the tenant and address
 * whose last turn is the longest ago. Neither a busy address nor a tenant with many addresses delays other tenants.
 */
export class FairQueue {
  private running = 0;
  private turns = 0;
  private readonly waiting: Waiting[] = [];
  private readonly shares = new Map<string, Share>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** Runs `work` in turn. @throws QueueFull, and the errors of `work` */
  async run<T>({ tenant, address }: WorkOrigin, work: () => Promise<T>): Promise<T> {
    const keys = [`address ${address}`, `tenant ${tenant}`];
    if (this.running >= this.limits.concurrency && this.waiting.length >= this.limits.queued) throw new QueueFull();
    for (const key of keys) this.share(key).pending++;
    try {
      await this.waitForTurn(keys);
      try {
        return await work();
      } finally {
        this.release();
      }
    } finally {
      for (const key of keys) if (--this.share(key).pending === 0) this.shares.delete(key);
    }
  }

  private share(key: string): Share {
    const share = this.shares.get(key) ?? { pending: 0, lastTurn: 0 };
    this.shares.set(key, share);
    return share;
  }

  private waitForTurn(keys: readonly string[]): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      this.recordTurn(keys);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        keys,
        start: () => {
          clearTimeout(timer);
          this.recordTurn(keys);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new QueueFull());
      }, this.limits.maxWaitMs);
      this.waiting.push(waiting);
    });
  }

  private recordTurn(keys: readonly string[]): void {
    this.turns++;
    for (const key of keys) this.share(key).lastTurn = this.turns;
  }

  /** Passes the slot to waiting work, so that no later caller can take the slot. */
  private release(): void {
    const lastTurn = ({ keys }: Waiting): number => Math.max(...keys.map((key) => this.share(key).lastTurn));
    const [first, ...others] = this.waiting;
    if (!first) {
      this.running--;
      return;
    }
    const next = others.reduce((best, each) => (lastTurn(each) < lastTurn(best) ? each : best), first);
    this.waiting.splice(this.waiting.indexOf(next), 1);
    next.start();
  }
}
