import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifications } from '#platform/database';
import { EVENTS_NUMBERED_CHANNEL } from '../event-channels.js';

/** Tells one follower when there may be something new; what is said while it works is not lost. */
export class EventWakeup {
  private said = false;
  private wake?: () => void;

  constructor(readonly close: () => void) {}

  /** Called when there may be something new. */
  say(): void {
    this.said = true;
    this.wake?.();
  }

  /** Waits until something was said since the last call, at most `timeoutMs`. */
  async next(timeoutMs: number): Promise<void> {
    if (!this.said) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.wake = undefined;
    }
    this.said = false;
  }
}

/** Hands the relays' notifications to those who follow a tenant's events. A notification may get lost: followers poll as well. */
@Injectable()
export class EventWakeups implements OnModuleInit {
  private readonly followers = new Map<string, Set<EventWakeup>>();

  constructor(private readonly notifications: Notifications) {}

  onModuleInit(): void {
    this.notifications.on(EVENTS_NUMBERED_CHANNEL, (tenantId) => this.followers.get(tenantId)?.forEach((each) => each.say()));
    this.notifications.onReconnect(() => this.followers.forEach((ofTenant) => ofTenant.forEach((each) => each.say())));
  }

  /** To be closed by who subscribes. */
  subscribe(tenantId: string): EventWakeup {
    const ofTenant = this.followers.get(tenantId) ?? new Set<EventWakeup>();
    this.followers.set(tenantId, ofTenant);
    const wakeup = new EventWakeup(() => {
      ofTenant.delete(wakeup);
      if (ofTenant.size === 0 && this.followers.get(tenantId) === ofTenant) this.followers.delete(tenantId);
    });
    ofTenant.add(wakeup);
    return wakeup;
  }
}
