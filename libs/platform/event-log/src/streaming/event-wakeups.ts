import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifications } from '#platform/database';
import { EVENTS_NUMBERED_CHANNEL } from '../event-channels.js';

/** Wakes a follower when new events may exist. A wake-up while the follower is busy ends its next wait. */
export class EventWakeup {
  private isPending = false;
  private resolveWait?: () => void;

  constructor(readonly close: () => void) {}

  /** Wakes the follower, or makes its next wait return immediately. */
  wake(): void {
    this.isPending = true;
    this.resolveWait?.();
  }

  /** Waits for a wake-up since the last call, at most `timeoutMs`. */
  async next(timeoutMs: number): Promise<void> {
    if (!this.isPending) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resolveWait = resolve;
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.resolveWait = undefined;
    }
    this.isPending = false;
  }
}

/** Wakes the followers of a tenant's events when a relay notifies. Notifications can be lost, so followers also poll. */
@Injectable()
export class EventWakeups implements OnModuleInit {
  private readonly followers = new Map<string, Set<EventWakeup>>();

  constructor(private readonly notifications: Notifications) {}

  onModuleInit(): void {
    this.notifications.on(EVENTS_NUMBERED_CHANNEL, (tenantId) => this.followers.get(tenantId)?.forEach((each) => each.wake()));
    this.notifications.onReconnect(() => this.followers.forEach((wakeups) => wakeups.forEach((each) => each.wake())));
  }

  /** Returns a wake-up for the events of a tenant. The caller must close it. */
  subscribe(tenantId: string): EventWakeup {
    const wakeups = this.followers.get(tenantId) ?? new Set<EventWakeup>();
    this.followers.set(tenantId, wakeups);
    const wakeup = new EventWakeup(() => {
      wakeups.delete(wakeup);
      if (wakeups.size === 0 && this.followers.get(tenantId) === wakeups) this.followers.delete(tenantId);
    });
    wakeups.add(wakeup);
    return wakeup;
  }
}
