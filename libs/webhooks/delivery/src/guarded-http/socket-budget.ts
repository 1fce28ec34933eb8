import { type Socket } from 'node:net';

interface Waiter {
  origin: string;
  begin: () => void;
}

/**
 * Limits on exchanges under way and on sockets. Each origin has a share of the whole: a dead one fills its own share and
 * no more, and those who wait for it stand in nobody's way. Idle sockets are closed when the whole is used up.
 */
export class SocketBudget {
  private readonly underWay = new Map<string, number>();
  private readonly sockets = new Map<string, Set<Socket>>();
  /** Those who wait, by origin; the origins take turns. */
  private readonly waiting = new Map<string, Set<Waiter>>();
  private underWayCount = 0;
  private socketCount = 0;

  constructor(
    private readonly socketsMax: number,
    private readonly socketsPerOriginMax: number,
  ) {}

  /**
   * Calls `begin` as soon as an exchange with this origin may begin: now, or later. Gives what ends the exchange, or the waiting for it;
   * to be called once.
   */
  enter(origin: string, begin: () => void): () => void {
    const waiter = { origin, begin };
    if (!this.hasRoom(origin)) {
      this.waiting.set(origin, (this.waiting.get(origin) ?? new Set()).add(waiter));
      return () => {
        if (!this.stopWaiting(waiter)) this.leave(origin);
      };
    }
    this.count(origin, 1);
    begin();
    return () => this.leave(origin);
  }

  /** Counts a socket until it closes; closes those of idle origins, the longest unused first, when there are too many. */
  adopt(origin: string, socket: Socket): void {
    const own = this.sockets.get(origin) ?? new Set();
    this.sockets.set(origin, own.add(socket));
    this.socketCount += 1;
    socket.once('close', () => this.forget(origin, socket));

    for (const [other, sockets] of this.sockets) {
      if (this.socketCount <= this.socketsMax) break;
      if (!this.underWay.has(other)) this.closeIdle(other, sockets);
    }
  }

  private closeIdle(origin: string, sockets: Set<Socket>): void {
    for (const socket of sockets) {
      this.forget(origin, socket);
      socket.destroy();
    }
  }

  private forget(origin: string, socket: Socket): void {
    const sockets = this.sockets.get(origin);
    if (!sockets?.delete(socket)) return;
    this.socketCount -= 1;
    if (sockets.size === 0) this.sockets.delete(origin);
  }

  private hasRoom(origin: string): boolean {
    return this.underWayCount < this.socketsMax && (this.underWay.get(origin) ?? 0) < this.socketsPerOriginMax;
  }

  private count(origin: string, change: 1 | -1): void {
    const count = (this.underWay.get(origin) ?? 0) + change;
    this.underWayCount += change;
    if (count === 0) this.underWay.delete(origin);
    else this.underWay.set(origin, count);

    const sockets = this.sockets.get(origin);
    if (!sockets) return;
    this.sockets.delete(origin);
    this.sockets.set(origin, sockets);
  }

  private leave(origin: string): void {
    const wasFull = this.underWayCount >= this.socketsMax;
    this.count(origin, -1);
    // Only when all places were taken did others wait for this one.
    if (wasFull) this.admitAny();
    else this.admitOne(origin);
  }

  private admitAny(): void {
    for (const origin of this.waiting.keys()) {
      if (this.underWayCount >= this.socketsMax) return;
      this.admitOne(origin);
    }
  }

  private admitOne(origin: string): void {
    const [waiter] = this.waiting.get(origin) ?? [];
    if (!waiter || !this.hasRoom(origin)) return;
    this.stopWaiting(waiter);
    const others = this.waiting.get(origin);
    if (others) {
      this.waiting.delete(origin);
      this.waiting.set(origin, others);
    }
    this.count(origin, 1);
    waiter.begin();
  }

  private stopWaiting(waiter: Waiter): boolean {
    const waiters = this.waiting.get(waiter.origin);
    if (!waiters?.delete(waiter)) return false;
    if (waiters.size === 0) this.waiting.delete(waiter.origin);
    return true;
  }
}
