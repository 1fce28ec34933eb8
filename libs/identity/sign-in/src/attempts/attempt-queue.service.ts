import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { HashingOverloaded, ConcurrencyLimiter, QueueFull } from '#platform/crypto';
import { addressGroup } from '#platform/http';
import { TooManySignIns } from '../sign-in-errors.js';
import { FairQueue } from './fair-queue.js';

const LIMITS = { queued: 400, maxWaitMs: 20_000 };
/** This many people behind one IP address can sign in at the same moment; together they take about three seconds. */
const MAX_PER_ADDRESS = 50;
/** While one attempt hashes a password, the other queries the database. More would not be faster, and would use connections of others. */
const CONCURRENCY = 2;

/**
 * Limits the concurrency of sign-ins and sign-ups in this process, with turns between tenants and IP addresses. Attempts at the same account
 * from the same IP address run one after the other: since each counts as failed until it succeeds, concurrent correct ones would lock out
 * each other.
 */
@Injectable()
export class AttemptQueueService {
  private readonly all = new FairQueue({ ...LIMITS, concurrency: CONCURRENCY });
  /** Waiting and running attempts by IP address. */
  private readonly countByAddress = new Map<string, number>();
  private readonly byAccount = new Map<string, { queue: ConcurrencyLimiter; users: number }>();

  /** @throws TooManySignIns (429) for too many attempts from the IP address, HashingOverloaded (503) for too many attempts, errors of `work` */
  async run<T>(
    ctx: RequestContext,
    { organization, email }: { organization: string; email: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const address = addressGroup(ctx.ipAddress);
    if ((this.countByAddress.get(address) ?? 0) >= MAX_PER_ADDRESS) throw new TooManySignIns();
    this.addToAddress(address, 1);
    const key = JSON.stringify([organization, emailKey(email), address]);
    const account = this.byAccount.get(key) ?? { queue: new ConcurrencyLimiter({ ...LIMITS, concurrency: 1 }), users: 0 };
    this.byAccount.set(key, account);
    account.users++;
    try {
      return await account.queue.run(() => this.all.run({ tenant: organization, address }, work));
    } catch (error) {
      throw error instanceof QueueFull ? new HashingOverloaded() : error;
    } finally {
      if (--account.users === 0) this.byAccount.delete(key);
      this.addToAddress(address, -1);
    }
  }

  private addToAddress(address: string, difference: 1 | -1): void {
    const count = (this.countByAddress.get(address) ?? 0) + difference;
    if (count === 0) this.countByAddress.delete(address);
    else this.countByAddress.set(address, count);
  }
}
