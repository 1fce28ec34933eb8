import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#common';
import { HashingOverloaded, WaitingLine, WaitingLineFull } from '#crypto';
import { addressGroup } from '#http';

const WAITING = { waiting: 400, waitMs: 20_000 };
/** One checks a password while the other asks the database. More would not be faster, and keep connections from other requests. */
const AT_ONCE = 2;

/**
 * Lets few sign-ins at a time through in this process, and of the same account from the same address one: since each counts as failed until
 * it has succeeded, many right ones at once would else lock one another out.
 */
@Injectable()
export class AttemptQueue {
  private readonly all = new WaitingLine({ ...WAITING, concurrency: AT_ONCE });
  private readonly byAccount = new Map<string, { line: WaitingLine; users: number }>();

  /** @throws HashingOverloaded (503) when too many wait already, and whatever the work throws */
  async run<T>(
    ctx: RequestContext,
    { organization, email }: { organization: string; email: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([organization, emailKey(email), addressGroup(ctx.ipAddress)]);
    const queued = this.byAccount.get(key) ?? { line: new WaitingLine({ ...WAITING, concurrency: 1 }), users: 0 };
    this.byAccount.set(key, queued);
    queued.users++;
    try {
      return await queued.line.run(() => this.all.run(work));
    } catch (error) {
      throw error instanceof WaitingLineFull ? new HashingOverloaded() : error;
    } finally {
      if (--queued.users === 0) this.byAccount.delete(key);
    }
  }
}
