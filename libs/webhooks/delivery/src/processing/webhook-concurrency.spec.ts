import { describe, expect, it } from '@jest/globals';
import { WebhookConcurrency } from './webhook-concurrency.js';

const enterMany = (slots: WebhookConcurrency<number>, count: number, first = 0): number =>
  Array.from({ length: count }, (_, index) => first + index).filter((job) => slots.tryAcquire('wh', `job-${job}`, job)).length;

/** Returns how many jobs of the webhook start if more jobs are added than can start. */
const capOf = (slots: WebhookConcurrency<number>): number => enterMany(slots, 200, 1_000);

describe('WebhookConcurrency', () => {
  it('assigns two slots to an unknown webhook until its first attempt ends, and queues its other jobs in order', () => {
    const slots = new WebhookConcurrency<number>();
    expect(enterMany(slots, 20)).toBe(2);
    expect(slots.tryAcquire('other', 'x', 0)).toBe(true);
    slots.recordAttempt('wh', true, 10);
    expect(slots.release('wh')).toEqual([2, 3]);
    expect(slots.release('wh')).toEqual([4]);
  });

  it.each([
    [10, 128],
    [500, 32],
  ])('with each success after %i ms, raises the limit, up to %i slots, and remembers it', (durationMs, most) => {
    const slots = new WebhookConcurrency<number>();
    slots.tryAcquire('wh', 'first', 0);
    for (let success = 0; success < 200; success++) slots.recordAttempt('wh', true, durationMs);
    expect(slots.release('wh')).toEqual([]);
    expect([slots.hasFreeSlot('wh', most - 1, 0), slots.hasFreeSlot('wh', most, 0)]).toEqual([true, false]);
    expect(capOf(slots)).toBe(most);
    expect(slots.hasFreeSlot('wh', 0, 0)).toBe(false);
  });

  it('never exceeds the total number of slots', () => {
    const slots = new WebhookConcurrency<number>(undefined, [3, 6, 10]);
    expect([slots.hasFreeSlot('wh', 0, 5), slots.hasFreeSlot('wh', 0, 6)]).toEqual([true, false]);
    for (const other of ['a', 'b', 'c', 'd', 'e', 'f']) slots.tryAcquire(other, other, 0);
    expect(slots.hasFreeSlot('wh', 0, 0)).toBe(false);
  });

  it('requests more jobs of a webhook when few jobs are queued and earlier jobs were dropped', () => {
    const asked: number[] = [];
    const slots = new WebhookConcurrency<number>((overflow) => asked.push(overflow));
    enterMany(slots, 5_003);
    expect(slots.release('wh')).toEqual([2]);
    expect(asked).toEqual([]);
    for (let left = 0; left < 5_000; left++) slots.release('wh');
    expect(asked).toEqual([5_002]);
    enterMany(slots, 3);
    slots.markOverflow('wh', 9_999);
    for (let left = 0; left < 3; left++) slots.release('wh');
    expect(asked).toEqual([5_002, 9_999]);
  });

  it.each([
    ['failed', false, 10],
    ['slow', true, 5_000],
  ])('halves the limit with each %s attempt, down to one slot', (_, succeeded, durationMs) => {
    const slots = new WebhookConcurrency<number>();
    slots.tryAcquire('wh', 'first', 0);
    for (let success = 0; success < 100; success++) slots.recordAttempt('wh', true, 10);
    const limits = Array.from({ length: 8 }, () => {
      slots.recordAttempt('wh', succeeded, durationMs);
      return Array.from({ length: 200 }, (__, own) => own).filter((own) => slots.hasFreeSlot('wh', own, 0)).length + 1;
    });
    expect(limits).toEqual([51, 25, 12, 6, 3, 1, 1, 1]);
  });

  it('keeps slots for healthy webhooks while many other webhooks wait, and lets the other webhooks take turns', () => {
    const slots = new WebhookConcurrency<string>(undefined, [3, 6, 10]);
    slots.tryAcquire('good', 'g0', 'g0');
    for (let success = 0; success < 5; success++) slots.recordAttempt('good', true, 10);
    slots.release('good');

    const begun = Array.from({ length: 20 }, (_, index) => `bad-${index}`).filter((bad) =>
      slots.tryAcquire(bad, `${bad}-1`, bad),
    );
    expect(begun).toHaveLength(6);
    for (const bad of begun) slots.recordAttempt(bad, false, 15_000);
    for (let job = 0; job < 4; job++) expect(slots.tryAcquire('good', `g${job}`, `g${job}`)).toBe(true);

    // Six jobs of failing webhooks are active, twice the limit. Unknown webhooks get slots as these jobs end.
    expect(begun.slice(0, 3).map((bad) => slots.release(bad))).toEqual([['bad-6'], ['bad-7'], ['bad-8']]);
    for (const bad of ['bad-6', 'bad-7', 'bad-8']) slots.recordAttempt(bad, false, 15_000);
    for (const bad of begun) slots.tryAcquire(bad, `${bad}-2`, bad);
    const turns = ['bad-3', 'bad-4', 'bad-5', 'bad-6', 'bad-7', 'bad-8'].flatMap((bad) => {
      const next = slots.release(bad);
      for (const other of next) slots.recordAttempt(other, false, 15_000);
      return next;
    });
    expect(new Set(turns).size).toBe(turns.length);
    expect(turns).toEqual(expect.arrayContaining(['bad-9', 'bad-10']));
  });

  it('queues a job only once, and at most 5,000 jobs', () => {
    const slots = new WebhookConcurrency<number>();
    enterMany(slots, 1);
    for (let time = 0; time < 3_000; time++) slots.tryAcquire('wh', 'same', 99);
    expect(slots.isSaturated('wh')).toBe(false);
    enterMany(slots, 10_000, 100);
    expect(slots.isSaturated('wh')).toBe(true);
    expect(slots.release('wh')).toEqual([99]);
    slots.clear();
    expect(slots.isSaturated('wh')).toBe(false);
    expect(slots.release('wh')).toEqual([]);
  });
});
