import { describe, expect, it } from '@jest/globals';
import { QueueFull } from '#platform/crypto';
import { FairQueue, type WorkOrigin } from './fair-queue.js';

/** Returns a queue in which one piece of work is running. `finish` ends this work. `order` lists the later work in the order of execution. */
function busyQueue(limits: { queued?: number; maxWaitMs?: number } = {}) {
  const queue = new FairQueue({ concurrency: 1, queued: 100, maxWaitMs: 60_000, ...limits });
  const order: string[] = [];
  const enqueue = (name: string, origin: WorkOrigin): Promise<void> => queue.run(origin, async () => void order.push(name));
  let end!: () => void;
  const blocker = new Promise<void>((resolve) => (end = resolve));
  const first = queue.run({ tenant: 'first', address: '0' }, () => blocker);
  const finish = async (): Promise<void> => {
    end();
    await first;
  };
  return { enqueue, order, finish };
}

describe('FairQueue', () => {
  it('serves IP addresses in turn', async () => {
    const { enqueue, order, finish } = busyQueue();
    const busy = ['a1', 'a2', 'a3'].map((name) => enqueue(name, { tenant: 'acme', address: '192.0.2.1' }));
    const others = [
      enqueue('b1', { tenant: 'globex', address: '192.0.2.2' }),
      enqueue('c1', { tenant: 'hooli', address: '192.0.2.3' }),
    ];
    await finish();
    await Promise.all([...busy, ...others]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it.each<[string, (n: number) => WorkOrigin]>([
    ['tenant when many IP addresses use another tenant', (n) => ({ tenant: 'acme', address: `192.0.2.${n}` })],
    ['IP address when another IP address uses many tenants', (n) => ({ tenant: `tenant ${n}`, address: '192.0.2.1' })],
  ])('delays no %s', async (_case, originOf) => {
    const { enqueue, order, finish } = busyQueue();
    const many = [1, 2, 3, 4].map((n) => enqueue(`one of many ${n}`, originOf(n)));
    const other = enqueue('globex', { tenant: 'globex', address: '198.51.100.1' });
    await finish();
    await Promise.all([...many, other]);
    expect(order.indexOf('globex')).toBe(1);
  });

  it('rejects work that exceeds the queue length or the maximum wait', async () => {
    const { enqueue, order, finish } = busyQueue({ queued: 1, maxWaitMs: 20 });
    const origin = { tenant: 'acme', address: '192.0.2.1' };
    const waits = expect(enqueue('waits too long', origin)).rejects.toThrow(QueueFull);
    await expect(enqueue('one too many', origin)).rejects.toThrow(QueueFull);
    await waits;
    await finish();
    await enqueue('later', origin);
    expect(order).toEqual(['later']);
  });

  it('continues after a failure', async () => {
    const queue = new FairQueue({ concurrency: 1, queued: 1, maxWaitMs: 1_000 });
    const origin = { tenant: 'acme', address: '192.0.2.1' };
    await expect(queue.run(origin, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(origin, () => Promise.resolve('fine'))).toBe('fine');
  });
});
