import { describe, expect, it } from '@jest/globals';
import { QueueFull } from '#platform/crypto';
import { FairQueue, type WorkOrigin } from './fair-queue.js';

/** Returns a queue in which one piece of work is running; `finish` ends it and returns the order in which the others ran. */
function occupied(limits: { queued?: number; maxWaitMs?: number } = {}) {
  const queue = new FairQueue({ concurrency: 1, queued: 100, maxWaitMs: 60_000, ...limits });
  const order: string[] = [];
  const ask = (name: string, origin: WorkOrigin): Promise<void> => queue.run(origin, async () => void order.push(name));
  let end!: () => void;
  const held = new Promise<void>((resolve) => (end = resolve));
  const first = queue.run({ tenant: 'first', address: '0' }, () => held);
  const finish = async (): Promise<void> => {
    end();
    await first;
  };
  return { ask, order, finish };
}

describe('a fair queue', () => {
  it('serves addresses in turn, in the order of their arrival', async () => {
    const { ask, order, finish } = occupied();
    const busy = ['a1', 'a2', 'a3'].map((name) => ask(name, { tenant: 'acme', address: '192.0.2.1' }));
    const others = [ask('b1', { tenant: 'globex', address: '192.0.2.2' }), ask('c1', { tenant: 'hooli', address: '192.0.2.3' })];
    await finish();
    await Promise.all([...busy, ...others]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('does not delay a tenant for many addresses of another tenant', async () => {
    const { ask, order, finish } = occupied();
    const many = [1, 2, 3, 4].map((n) => ask(`acme ${n}`, { tenant: 'acme', address: `192.0.2.${n}` }));
    const other = ask('globex', { tenant: 'globex', address: '198.51.100.1' });
    await finish();
    await Promise.all([...many, other]);
    expect(order.indexOf('globex')).toBe(1);
  });

  it('does not delay other addresses for one address that names many tenants', async () => {
    const { ask, order, finish } = occupied();
    const many = [1, 2, 3, 4].map((n) => ask(`guess ${n}`, { tenant: `tenant ${n}`, address: '192.0.2.1' }));
    const other = ask('globex', { tenant: 'globex', address: '198.51.100.1' });
    await finish();
    await Promise.all([...many, other]);
    expect(order.indexOf('globex')).toBe(1);
  });

  it('rejects work when too much is waiting, and work that has waited too long', async () => {
    const { ask, order, finish } = occupied({ queued: 1, maxWaitMs: 20 });
    const origin = { tenant: 'acme', address: '192.0.2.1' };
    const waits = expect(ask('waits too long', origin)).rejects.toThrow(QueueFull);
    await expect(ask('one too many', origin)).rejects.toThrow(QueueFull);
    await waits;
    await finish();
    await ask('later', origin);
    expect(order).toEqual(['later']);
  });

  it('continues after work that fails', async () => {
    const queue = new FairQueue({ concurrency: 1, queued: 1, maxWaitMs: 1_000 });
    const origin = { tenant: 'acme', address: '192.0.2.1' };
    await expect(queue.run(origin, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(origin, () => Promise.resolve('fine'))).toBe('fine');
  });
});
