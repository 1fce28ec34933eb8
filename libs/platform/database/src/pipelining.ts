import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/** The driver's own, which it does not declare. */
interface Connected {
  readonly connection: { readonly stream: Writable };
}

const gathering = new WeakSet<Writable>();

/**
 * Has all that is asked of a connection until `flush` runs go out in one write. By default that is when the code under way has nothing left
 * to do but wait; with `setImmediate`, when all that this turn of the event loop brought has been looked at.
 */
export function writeTogether(client: ClientBase, flush: (send: () => void) => unknown = process.nextTick): void {
  const { stream } = (client as unknown as Connected).connection;
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  flush(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
