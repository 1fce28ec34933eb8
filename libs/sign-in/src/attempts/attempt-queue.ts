import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#common';
import { HashingOverloaded, WaitingLine, WaitingLineFull } from '#crypto';
import { addressGroup } from '#http';
import type { NamedAccount } from './sign-in-attempts.service.js';

const LIMITS = { concurrency: 1, waiting: 400, waitMs: 20_000 };

/**
 * Lets one sign-in at a time of the same account from the same address through, in this process: since each counts as failed until it
 * has succeeded, many right ones at once would else lock one another out.
 */
@Injectable()
export class AttemptQueue {
  private readonly lines = new Map<string, { line: WaitingLine; users: number }>();

  /** @throws HashingOverloaded (503) when too many wait already, and whatever the work throws */
  async run<T>(ctx: RequestContext, { organizationHandle, email }: NamedAccount, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([organizationHandle, emailKey(email), addressGroup(ctx.ipAddress)]);
    const queued = this.lines.get(key) ?? { line: new WaitingLine(LIMITS), users: 0 };
    this.lines.set(key, queued);
    queued.users++;
    try {
      return await queued.line.run(work);
    } catch (error) {
      throw error instanceof WaitingLineFull ? new HashingOverloaded() : error;
    } finally {
      if (--queued.users === 0) this.lines.delete(key);
    }
  }
}
