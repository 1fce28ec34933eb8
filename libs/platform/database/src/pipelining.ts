import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/** A property of the driver that its types lack. */
interface Connected {
  readonly connection: { readonly stream: Writable };
}

const collecting = new WeakSet<Writable>();

/**
 * Collects everything that is written to a connection and sends it in one write when `flush` calls back. With `process.nextTick` this is
 * at the end of the current operation, with `setImmediate` at the end of this turn of the event loop.
 */
export function writeTogether(client: ClientBase, flush: (send: () => void) => unknown = process.nextTick): void {
  const { stream } = (client as unknown as Connected).connection;
  if (collecting.has(stream)) return;
  collecting.add(stream);
  stream.cork();
  flush(() => {
    collecting.delete(stream);
    stream.uncork();
  });
}
