import { afterEach, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.js';

describe('startReceiver', () => {
  let receiver: Receiver;
  afterEach(() => receiver.stop());

  it('records the received bytes', async () => {
    receiver = await startReceiver((_, index) =>
      index === 0 ? { status: 503, body: 'later', headers: { 'retry-after': '1' } } : undefined,
    );
    const rejected = await fetch(`${receiver.url}hook?a=1`, { method: 'POST', body: '{"ü": 1 }', headers: { 'x-mark': 'one' } });
    expect([rejected.status, rejected.headers.get('retry-after'), await rejected.text()]).toEqual([503, '1', 'later']);
    expect((await fetch(receiver.url)).status).toBe(200);

    const [first] = await receiver.waitFor(2, 20_000);
    expect(first).toMatchObject({ method: 'POST', path: '/hook?a=1', headers: { 'x-mark': 'one' } });
    expect(first?.body).toEqual(Buffer.from('{"ü": 1 }'));
    expect(Math.abs(Date.now() - (first?.receivedAt ?? 0))).toBeLessThan(60_000);
  });

  it('stops waiting after the timeout', async () => {
    receiver = await startReceiver(() => ({ delayMs: 60_000 }));
    const hanging = fetch(receiver.url);
    await receiver.waitFor(1, 20_000);
    await expect(receiver.waitFor(2, 50)).rejects.toThrow('got 1 of 2 requests in 50 ms');
    await Promise.all([receiver.stop(), expect(hanging).rejects.toThrow()]);
    receiver = await startReceiver();
  });
});
