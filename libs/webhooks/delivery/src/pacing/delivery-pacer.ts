import { Injectable } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { Batcher } from '../processing/batcher.js';
import type { ClaimedDelivery } from '../processing/delivery-state.query.js';
import { takeTurns, type Turn } from './pace.js';
import { PaceQuery, type Postponement, type CurrentPace } from './pace.query.js';

/** One at a time: more would wait for one another, since most are of the same webhook. */
const BATCHES = { sizeMax: 200, runsAtOnceMax: 1 };

interface Arrival {
  readonly delivery: ClaimedDelivery;
  readonly limitPerSecond: number;
}

/** A delivery's turn: now, in its slot, or (without a slot) whenever the sweeper brings it again. */
export interface Admission {
  readonly turn: Turn;
  /** How long it is until the slot, in milliseconds. */
  readonly inMs: number;
}

/** Holds the rate limits of webhooks, over all workers together: PostgreSQL gives each delivery its turn, before it is begun. */
@Injectable()
export class DeliveryPacer {
  private readonly ctx = systemContext('delivery-pacer');
  private readonly arrivals = new Batcher<Arrival, Admission>(BATCHES, (arrivals) => this.admitAll(arrivals));

  constructor(
    private readonly paces: PaceQuery,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Says when a claimed delivery may go. Unless that is now, it has been given back: nobody waits in a worker. */
  admit(delivery: ClaimedDelivery, limitPerSecond: number): Promise<Admission> {
    return this.arrivals.add({ delivery, limitPerSecond });
  }

  private admitAll(arrivals: Arrival[]): Promise<Admission[]> {
    const webhooks = new Map(arrivals.map(({ delivery }) => [delivery.webhookId, delivery]));
    return this.transactions.run(this.ctx, async (ctx) => {
      const standing = await this.paces.lock(ctx, [...webhooks.values()]);
      const admissions = new Map<Arrival, Admission>();
      await this.paces.save(
        ctx,
        standing.map((pace) => admitInto(admissions, pace, arrivals)),
      );
      const postponements = arrivals.flatMap((arrival) => postponementOf(arrival, admissions.get(arrival)!));
      if (postponements.length > 0) await this.paces.postpone(ctx, postponements);
      return arrivals.map((arrival) => admissions.get(arrival)!);
    });
  }
}

/** Gives those of one webhook their turns; says where its pace stands then. */
function admitInto(admissions: Map<Arrival, Admission>, standing: CurrentPace, arrivals: readonly Arrival[]): CurrentPace {
  const own = arrivals.filter(({ delivery }) => delivery.webhookId === standing.webhookId);
  const limitPerSecond = own.at(-1)!.limitPerSecond;
  const { pace, turns } = takeTurns(
    standing,
    limitPerSecond,
    standing.nowMs,
    own.map(({ delivery }) => delivery),
  );
  for (const [index, turn] of turns.entries())
    admissions.set(own[index]!, { turn, inMs: typeof turn === 'number' ? Math.max(0, turn - standing.nowMs) : 0 });
  return { ...standing, ...pace };
}

function postponementOf({ delivery }: Arrival, { turn }: Admission): Postponement[] {
  return turn === 'now' ? [] : [{ ...delivery, slotMs: turn === 'later' ? null : turn }];
}
