import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import type { EventType } from '../catalog.js';
import type { EventPayload } from '../event-payload.js';
import { type DomainEvent, type EventHandler, type Subscription, SubscriptionMetadata } from './on-domain-event.js';

/** A durable handler, which reads the event log by its own cursor. */
export interface DurableSubscriber {
  readonly name: string;
  readonly types: readonly EventType[];
  readonly handle: EventHandler;
}

interface Subscriber extends Subscription {
  /** `Class.method`, for logs and errors. */
  readonly method: string;
  readonly handle: EventHandler;
}

/** Finds all methods with `@OnDomainEvent`. Calls the `transactional` and `after-commit` handlers; the event log calls the durable ones. */
@Injectable()
export class EventSubscribers implements OnModuleInit {
  private readonly logger = new Logger(EventSubscribers.name);
  private readonly byType = new Map<EventType, Subscriber[]>();
  private readonly durableByName = new Map<string, DurableSubscriber>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly transactions: TransactionRunner,
  ) {}

  onModuleInit(): void {
    for (const subscriber of this.find()) this.add(subscriber);
  }

  get durable(): ReadonlyMap<string, DurableSubscriber> {
    return this.durableByName;
  }

  /** Calls the handlers of events that were just written. Handlers of lower layers run first. */
  async dispatch(ctx: RequestContext, tenantId: string, type: EventType, payloads: readonly EventPayload[]): Promise<void> {
    const subscribers = this.byType.get(type);
    if (!subscribers) return;
    const events = payloads.map((payload) => ({ ...payload, tenantId }) as DomainEvent);
    for (const { options, handle, method } of subscribers) {
      for (const event of events) {
        if (options.mode === 'transactional') await handle(ctx, event);
        else this.transactions.afterCommit(ctx, () => void this.handleAfterCommit(ctx, event, handle, method));
      }
    }
  }

  private async handleAfterCommit(ctx: RequestContext, event: DomainEvent, handle: EventHandler, method: string): Promise<void> {
    const { transaction: _, ...outside } = ctx;
    try {
      await handle(outside, event);
    } catch (error) {
      this.logger.error({ err: error, eventId: event.id }, `${method} failed for a ${event.type} event. It is not called again.`);
    }
  }

  /** Returns the handlers, lowest layer first. The lowest layer has the modules that are farthest from the root module. */
  private find(): Subscriber[] {
    const providers = this.discovery
      .getProviders()
      .filter(({ instance }) => typeof instance === 'object' && instance !== null)
      .toSorted((a, b) => (b.host?.distance ?? 0) - (a.host?.distance ?? 0));
    return providers.flatMap(({ instance }) =>
      this.methods.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((name) => {
        const subscription = this.reflector.get(SubscriptionMetadata, instance[name]);
        if (!subscription) return [];
        const handle: EventHandler = (ctx, event) => instance[name](ctx, event);
        return [{ ...subscription, method: `${instance.constructor.name}.${name}`, handle }];
      }),
    );
  }

  private add(subscriber: Subscriber): void {
    const { types, options, method, handle } = subscriber;
    if (options.mode === 'durable') {
      if (this.durableByName.has(options.name))
        throw new Error(`${method}: another durable handler has the name "${options.name}".`);
      this.durableByName.set(options.name, { name: options.name, types, handle });
      return;
    }
    for (const type of types) this.byType.set(type, [...(this.byType.get(type) ?? []), subscriber]);
  }
}
