import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { HashingOverloaded, WaitingLine, WaitingLineFull } from '#platform/crypto';
import { addressGroup } from '#platform/http';
import { TooManySignIns } from '../sign-in-errors.js';
import { FairQueue } from './fair-queue.js';

const WAITING = { waiting: 400, waitMs: 20_000 };
/** So many people may sign in at the same moment from behind one address; they take about three seconds in all. */
const UNFINISHED_OF_ADDRESS = 50;
/** One checks a password while the other asks the database. More would not be faster, and keep connections from other requests. */
const AT_ONCE = 2;

/**
 * Lets few sign-ins and sign-ups at a time through in this process, in turns between tenants and addresses, and of the same account from
 * the same address one: since each counts as failed until it has succeeded, many right ones at once would else lock one another out.
 */
@Injectable()
export class AttemptQueue {
  private readonly all = new FairQueue({ ...WAITING, concurrency: AT_ONCE });
  /** How many of each address wait or run. */
  private readonly byAddress = new Map<string, number>();
  private readonly byAccount = new Map<string, { line: WaitingLine; users: number }>();

  /** @throws TooManySignIns (429) when too many wait from this address, HashingOverloaded (503) from all, and whatever the work throws */
  async run<T>(
    ctx: RequestContext,
    { organization, email }: { organization: string; email: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const address = addressGroup(ctx.ipAddress);
    const unfinished = this.byAddress.get(address) ?? 0;
    if (unfinished >= UNFINISHED_OF_ADDRESS) throw new TooManySignIns();
    this.byAddress.set(address, unfinished + 1);
    const key = JSON.stringify([organization, emailKey(email), address]);
    const queued = this.byAccount.get(key) ?? { line: new WaitingLine({ ...WAITING, concurrency: 1 }), users: 0 };
    this.byAccount.set(key, queued);
    queued.users++;
    try {
      return await queued.line.run(() => this.all.run({ tenant: organization, address }, work));
    } catch (error) {
      throw error instanceof WaitingLineFull ? new HashingOverloaded() : error;
    } finally {
      if (--queued.users === 0) this.byAccount.delete(key);
      const left = this.byAddress.get(address)! - 1;
      if (left === 0) this.byAddress.delete(address);
      else this.byAddress.set(address, left);
    }
  }
}
