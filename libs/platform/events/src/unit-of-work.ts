import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import type { EventData, EventType } from './catalog.js';
import { DomainEventBus, type EventOrganization } from './domain-event-bus.js';

/** Bundles what a service needs for a change: `TransactionRunner`, `DomainEventBus` and `Clock`. */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly events: DomainEventBus,
    private readonly clock: Clock,
  ) {}

  run<C extends RequestContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
    return this.transactions.run(ctx, work);
  }

  publish<T extends EventType>(
    ctx: RequestContext,
    type: T,
    organization: EventOrganization,
    data: EventData<T>,
    about: { userId?: string } = {},
  ): Promise<void> {
    return this.events.publish(ctx, type, organization, data, about);
  }

  publishAll<T extends EventType>(
    ctx: RequestContext,
    type: T,
    organization: EventOrganization,
    occurrences: readonly { data: EventData<T>; userId?: string | undefined }[],
  ): Promise<void> {
    return this.events.publishAll(ctx, type, organization, occurrences);
  }

  createStream(ctx: RequestContext, tenantId: string): void {
    this.events.createStream(ctx, tenantId);
  }

  now(): Date {
    return this.clock.now();
  }
}
