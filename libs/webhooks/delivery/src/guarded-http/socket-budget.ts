import { type Socket } from 'node:net';

interface Waiter {
  origin: string;
  begin: () => void;
}

/**
 * Limits the concurrent exchanges and sockets, in total and per origin. An origin without responses uses only its own share, and exchanges
 * that wait for this origin don't delay other exchanges. Idle sockets are closed when the total is reached.
 */
export class SocketBudget {
  private readonly active = new Map<string, number>();
  private readonly sockets = new Map<string, Set<Socket>>();
  /** Waiting exchanges by origin. Origins take turns. */
  private readonly waiting = new Map<string, Set<Waiter>>();
  private activeCount = 0;
  private socketCount = 0;

  constructor(
    private readonly socketsMax: number,
    private readonly socketsPerOriginMax: number,
  ) {}

  /**
   * Calls `begin` when an exchange with this origin can start, now or later. Returns a function that ends the exchange, or its waiting. Call
   * the function once.
   */
  enter(origin: string, begin: () => void): () => void {
    const waiter = { origin, begin };
    if (!this.hasFreeSlot(origin)) {
      this.waiting.set(origin, (this.waiting.get(origin) ?? new Set()).add(waiter));
      return () => {
        if (!this.stopWaiting(waiter)) this.leave(origin);
      };
    }
    this.count(origin, 1);
    begin();
    return () => this.leave(origin);
  }

  /** Counts a socket until it closes. When there are too many, closes sockets of idle origins, the longest unused first. */
  adopt(origin: string, socket: Socket): void {
    const own = this.sockets.get(origin) ?? new Set();
    this.sockets.set(origin, own.add(socket));
    this.socketCount += 1;
    socket.once('close', () => this.forget(origin, socket));

    for (const [other, sockets] of this.sockets) {
      if (this.socketCount <= this.socketsMax) break;
      if (!this.active.has(other)) this.closeIdle(other, sockets);
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

  private hasFreeSlot(origin: string): boolean {
    return this.activeCount < this.socketsMax && (this.active.get(origin) ?? 0) < this.socketsPerOriginMax;
  }

  private count(origin: string, change: 1 | -1): void {
    const count = (this.active.get(origin) ?? 0) + change;
    this.activeCount += change;
    if (count === 0) this.active.delete(origin);
    else this.active.set(origin, count);

    const sockets = this.sockets.get(origin);
    if (!sockets) return;
    this.sockets.delete(origin);
    this.sockets.set(origin, sockets);
  }

  private leave(origin: string): void {
    const wasFull = this.activeCount >= this.socketsMax;
    this.count(origin, -1);
    // Other origins waited only if all slots were in use.
    if (wasFull) this.admitAny();
    else this.admitOne(origin);
  }

  private admitAny(): void {
    for (const origin of this.waiting.keys()) {
      if (this.activeCount >= this.socketsMax) return;
      this.admitOne(origin);
    }
  }

  private admitOne(origin: string): void {
    const [waiter] = this.waiting.get(origin) ?? [];
    if (!waiter || !this.hasFreeSlot(origin)) return;
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
