import { WaitingLineFull, type WaitingLineLimits } from '#platform/crypto';

/** On whose behalf something waits. */
export interface Origin {
  readonly tenant: string;
  readonly address: string;
}

interface Waiting {
  readonly keys: readonly string[];
  enter(): void;
}

/** What is known of a tenant or an address while something of it waits or runs. */
interface Share {
  users: number;
  /** The count of all that entered before, at the last time that something of it entered. */
  lastEntered: number;
}

/**
 * Lets at most `concurrency` pieces of work run at once. The next to run is the one whose tenant and address have both waited longest for a turn,
 * so that neither one busy address nor many addresses at one tenant hold up anybody else.
 */
export class FairQueue {
  private running = 0;
  private entered = 0;
  private readonly waiting: Waiting[] = [];
  private readonly shares = new Map<string, Share>();

  constructor(private readonly limits: WaitingLineLimits) {}

  /** @throws WaitingLineFull, and whatever the work throws */
  async run<T>({ tenant, address }: Origin, work: () => Promise<T>): Promise<T> {
    const keys = [`address ${address}`, `tenant ${tenant}`];
    if (this.running >= this.limits.concurrency && this.waiting.length >= this.limits.waiting) throw new WaitingLineFull();
    for (const key of keys) this.share(key).users++;
    try {
      await this.enter(keys);
      try {
        return await work();
      } finally {
        this.leave();
      }
    } finally {
      for (const key of keys) if (--this.share(key).users === 0) this.shares.delete(key);
    }
  }

  private share(key: string): Share {
    const share = this.shares.get(key) ?? { users: 0, lastEntered: 0 };
    this.shares.set(key, share);
    return share;
  }

  private enter(keys: readonly string[]): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      this.noteTurn(keys);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        keys,
        enter: () => {
          clearTimeout(timer);
          this.noteTurn(keys);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new WaitingLineFull());
      }, this.limits.waitMs);
      this.waiting.push(waiting);
    });
  }

  private noteTurn(keys: readonly string[]): void {
    this.entered++;
    for (const key of keys) this.share(key).lastEntered = this.entered;
  }

  /** Passes the slot to the next that waits, so that a later caller can't take it. */
  private leave(): void {
    const lastTurn = ({ keys }: Waiting): number => Math.max(...keys.map((key) => this.share(key).lastEntered));
    const [first, ...others] = this.waiting;
    if (!first) {
      this.running--;
      return;
    }
    const next = others.reduce((best, each) => (lastTurn(each) < lastTurn(best) ? each : best), first);
    this.waiting.splice(this.waiting.indexOf(next), 1);
    next.enter();
  }
}
