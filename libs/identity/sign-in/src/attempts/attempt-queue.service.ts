import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ConcurrencyLimiter, HashingOverloaded, hashingLimits, QueueFull } from '#platform/crypto';
import { addressGroup } from '#platform/http';
import { TooManySignIns } from '../sign-in-errors.js';
import { FairQueue } from './fair-queue.js';

const LIMITS = { queued: 400, maxWaitMs: 20_000 };
/** A part of an attempt that waits for another system and must not hold a slot of the queue. */
export class OutsideQueue<T> {
  constructor(readonly run: () => Promise<T>) {}
}

/** The maximum number of waiting and running attempts from one IP address. Fifty sign-ins take about three seconds. */
const MAX_PER_ADDRESS = 50;
/**
 * Limits the concurrency of sign-ins and sign-ups in this process. Tenants and IP addresses take turns. Attempts at an account from one IP
 * address run sequentially: an attempt counts as failed until it succeeds, so concurrent correct attempts would lock the account.
 */
@Injectable()
export class AttemptQueueService {
  private readonly queue: FairQueue;
  private readonly countByAddress = new Map<string, number>();
  private readonly byAccount = new Map<string, { limiter: ConcurrencyLimiter; attempts: number }>();

  constructor({ workers }: AppConfig) {
    // While some attempts hash passwords, another attempt can query the database. More concurrency would take connections from other requests.
    this.queue = new FairQueue({ ...LIMITS, concurrency: hashingLimits(workers).concurrency + 1 });
  }

  /**
   * Runs `work` in turn. If `work` returns a part outside of the queue, runs it when others have their turn; the next attempt at the account
   * waits for it.
   * @throws TooManySignIns (429) for too many attempts from the IP address, HashingOverloaded (503) for too many attempts in this process,
   * and the errors of `work`
   */
  async run<T>(
    ctx: RequestContext,
    { organization, email }: { organization: string; email: string },
    work: () => Promise<T | OutsideQueue<T>>,
  ): Promise<T> {
    const address = addressGroup(ctx);
    if ((this.countByAddress.get(address) ?? 0) >= MAX_PER_ADDRESS) throw new TooManySignIns();
    this.addToAddress(address, 1);
    const key = JSON.stringify([organization, emailKey(email), address]);
    const account = this.byAccount.get(key) ?? { limiter: new ConcurrencyLimiter({ ...LIMITS, concurrency: 1 }), attempts: 0 };
    this.byAccount.set(key, account);
    account.attempts++;
    try {
      return await account.limiter.run(async () => {
        const result = await this.queue.run({ tenant: organization, address }, work);
        return result instanceof OutsideQueue ? result.run() : result;
      });
    } catch (error) {
      throw error instanceof QueueFull ? new HashingOverloaded() : error;
    } finally {
      if (--account.attempts === 0) this.byAccount.delete(key);
      this.addToAddress(address, -1);
    }
  }

  private addToAddress(address: string, difference: 1 | -1): void {
    const count = (this.countByAddress.get(address) ?? 0) + difference;
    if (count === 0) this.countByAddress.delete(address);
    else this.countByAddress.set(address, count);
  }
}
