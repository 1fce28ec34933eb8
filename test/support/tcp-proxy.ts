import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A TCP proxy on 127.0.0.1 that simulates the network between the service and a server. */
export class TcpProxy {
  /** The delay of data in each direction. */
  delayMs = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: number | undefined,
  ) {}

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new TcpProxy(server, target);
    server.on('connection', (socket) => proxy.relay(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Returns the URL with the port of this proxy. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String((this.server.address() as AddressInfo).port), search: '' }).href;
  }

  /** Closes all connections. Forwards new connections to the port `target`. Rejects new connections without a target. */
  redirectTo(target: number | undefined): void {
    this.target = target;
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.redirectTo(undefined);
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(near: Socket): void {
    if (this.target === undefined) return void near.destroy();
    const far = connect({ port: this.target, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      void pipeline(from, this.delayed(), to).catch(() => [near, far].forEach((socket) => socket.destroy()));
  }

  private delayed(): Transform {
    return new Transform({
      transform: (chunk, _encoding, done) => {
        if (this.delayMs === 0) done(null, chunk);
        else setTimeout(() => done(null, chunk), this.delayMs);
      },
    });
  }
}
