import { type Socket } from 'node:net';

interface Waiter {
  origin: string;
  admit: () => void;
}

/**
 * Limits on exchanges under way and on sockets. Each origin has a share of the whole: a dead one fills its own share and
 * no more, and those who wait for it stand in nobody's way. Idle sockets are closed when the whole is used up.
 */
export class SocketBudget {
  private readonly underWay = new Map<string, number>();
  private readonly sockets = new Map<string, Set<Socket>>();
  private readonly waiting = new Set<Waiter>();
  private underWayCount = 0;
  private socketCount = 0;

  constructor(
    private readonly socketsMax: number,
    private readonly socketsPerOriginMax: number,
  ) {}

  /**
   * Waits until an exchange with this origin may begin, and returns what ends it. Rejects with the signal's reason when
   * it is aborted first.
   */
  async enter(origin: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.hasRoom(origin)) await this.wait(origin, signal);
    else this.count(origin, 1);
    return () => {
      this.count(origin, -1);
      this.admitWaiting();
    };
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

  private wait(origin: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.delete(waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        origin,
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          this.waiting.delete(waiter);
          this.count(origin, 1);
          resolve();
        },
      };
      this.waiting.add(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  private admitWaiting(): void {
    for (const waiter of this.waiting) {
      if (this.underWayCount >= this.socketsMax) return;
      if (this.hasRoom(waiter.origin)) waiter.admit();
    }
  }
}
