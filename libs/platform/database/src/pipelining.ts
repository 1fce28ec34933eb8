import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/** A property of the driver that its types lack. */
interface Connected {
  readonly connection: { readonly stream: Writable };
}

const collecting = new WeakSet<Writable>();

/**
 * Collects all writes to a connection and sends them in one write when `flush` calls its callback. With `process.nextTick`, this is at the
 * end of the current operation. With `setImmediate`, this is at the end of the current turn of the event loop.
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
