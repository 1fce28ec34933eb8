import { Injectable } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { Batcher } from './batcher.js';
import type { ClaimedDelivery } from './delivery-state.query.js';
import { assignTurns, type Turn } from './pace.js';
import { PaceQuery, type Postponement, type CurrentPace } from './pace.query.js';

/** Only one run at a time, because runs lock the paces of the same webhooks and would wait for one another. */
const BATCHES = { sizeMax: 200, runsAtOnceMax: 1 };

interface Arrival {
  readonly delivery: ClaimedDelivery;
  readonly limitPerSecond: number;
}

/** The turn of a delivery: now, at its booked time, or later, when the sweeper enqueues the delivery again. */
export interface Admission {
  readonly turn: Turn;
  /** Time until the booked time, in milliseconds. */
  readonly inMs: number;
}

const WITHOUT_SLOT: Admission = { turn: 'later', inMs: 0 };

/** Enforces the rate limits of webhooks across all workers: PostgreSQL assigns each delivery its turn before it starts. */
@Injectable()
export class DeliveryPacer {
  private readonly ctx = systemContext('delivery-pacer');
  private readonly arrivals = new Batcher<Arrival, Admission>(BATCHES, (arrivals) => this.admitAll(arrivals));

  constructor(
    private readonly paces: PaceQuery,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Returns the turn of a claimed delivery. If the turn is not now, the delivery is released and does not wait in the worker. */
  admit(delivery: ClaimedDelivery, limitPerSecond: number): Promise<Admission> {
    return this.arrivals.add({ delivery, limitPerSecond });
  }

  private admitAll(arrivals: Arrival[]): Promise<Admission[]> {
    const webhooks = new Map(arrivals.map(({ delivery }) => [delivery.webhookId, delivery]));
    return this.transactions.run(this.ctx, async (ctx) => {
      const current = await this.paces.lock(ctx, [...webhooks.values()]);
      const admissions = new Map<Arrival, Admission>();
      await this.paces.save(
        ctx,
        current.map((pace) => assignTurnsOf(admissions, pace, arrivals)),
      );
      const postponements = arrivals.flatMap((arrival) => postponementOf(arrival, admissions.get(arrival) ?? WITHOUT_SLOT));
      if (postponements.length > 0) await this.paces.postpone(ctx, postponements);
      return arrivals.map((arrival) => admissions.get(arrival) ?? WITHOUT_SLOT);
    });
  }
}

/** Assigns turns to the deliveries of one webhook. Returns its new pace. */
function assignTurnsOf(admissions: Map<Arrival, Admission>, current: CurrentPace, arrivals: readonly Arrival[]): CurrentPace {
  const own = arrivals.filter(({ delivery }) => delivery.webhookId === current.webhookId);
  const latest = own.at(-1);
  if (!latest) return current;
  const { pace, turns } = assignTurns(
    current,
    latest.limitPerSecond,
    current.nowMs,
    own.map(({ delivery }) => delivery),
  );
  for (const [index, arrival] of own.entries()) {
    const turn = turns[index] ?? 'later';
    admissions.set(arrival, { turn, inMs: typeof turn === 'number' ? Math.max(0, turn - current.nowMs) : 0 });
  }
  return { ...current, ...pace };
}

function postponementOf({ delivery }: Arrival, { turn }: Admission): Postponement[] {
  return turn === 'now' ? [] : [{ ...delivery, bookedForMs: turn === 'later' ? null : turn }];
}
