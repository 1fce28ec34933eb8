import { describe, expect, it } from '@jest/globals';
import { WebhookSlots } from './webhook-slots.js';

const enterMany = (slots: WebhookSlots<number>, count: number, first = 0): number =>
  Array.from({ length: count }, (_, index) => first + index).filter((job) => slots.tryAcquire('wh', `job-${job}`, job)).length;

/** Returns how many jobs of the webhook start if more jobs are added than can start. */
const capOf = (slots: WebhookSlots<number>): number => enterMany(slots, 200, 1_000);

describe('WebhookSlots', () => {
  it('assigns one slot to an unknown webhook until its first attempt ends, and queues its other jobs in order', () => {
    const slots = new WebhookSlots<number>();
    expect(enterMany(slots, 20)).toBe(1);
    expect(slots.tryAcquire('other', 'x', 0)).toBe(true);
    slots.recordAttempt('wh', true, 10);
    expect(slots.release('wh')).toEqual([1, 2, 3, 4, 5]);
    expect(slots.release('wh')).toEqual([6]);
  });

  it.each([
    [10, 128],
    [500, 32],
  ])('with each success after %i ms, raises the limit, up to %i slots, and remembers it', (durationMs, most) => {
    const slots = new WebhookSlots<number>();
    slots.tryAcquire('wh', 'first', 0);
    for (let success = 0; success < 200; success++) slots.recordAttempt('wh', true, durationMs);
    expect(slots.release('wh')).toEqual([]);
    expect(slots.freeSlotsOf('wh', 0)).toBe(most);
    expect(capOf(slots)).toBe(most);
    expect(slots.freeSlotsOf('wh', 0)).toBe(0);
  });

  it('never exceeds the total number of slots', () => {
    const slots = new WebhookSlots<number>(undefined, { all: 10, healthy: 10, unknown: 6, failing: 3 });
    expect(slots.freeSlotsOf('wh', 9)).toBe(1);
    expect(slots.freeSlotsOf('wh', 10)).toBe(0);
    for (const other of ['a', 'b', 'c', 'd', 'e', 'f']) slots.tryAcquire(other, other, 0);
    expect(slots.freeSlotsOf('wh', 0)).toBe(0);
  });

  it('starts only as many jobs of healthy webhooks as setAllowance allows, and the queued jobs after the next call', () => {
    const slots = new WebhookSlots<number>();
    slots.tryAcquire('wh', 'first', 0);
    for (let success = 0; success < 100; success++) slots.recordAttempt('wh', true, 10);
    slots.release('wh');
    expect(slots.setAllowance(16)).toEqual([]);
    expect(slots.freeSlotsOf('wh', 15)).toBeGreaterThan(0);
    expect(slots.freeSlotsOf('wh', 16)).toBe(0);
    expect(enterMany(slots, 40, 100)).toBe(16);
    expect(slots.release('wh')).toEqual([]);
    expect(slots.tryAcquire('unknown', 'x', 0)).toBe(true);
    expect(slots.setAllowance(2)).toEqual([116, 117]);
    const [first, ...others] = slots.setAllowance(Infinity);
    expect([first, others.length]).toEqual([118, 21]);
  });

  it('requests more jobs of a webhook when few jobs are queued and earlier jobs were dropped', () => {
    const asked: number[] = [];
    const slots = new WebhookSlots<number>((overflow) => asked.push(overflow));
    enterMany(slots, 5_002);
    expect(slots.release('wh')).toEqual([1]);
    expect(asked).toEqual([]);
    for (let left = 0; left < 5_000; left++) slots.release('wh');
    expect(asked).toEqual([5_001]);
    enterMany(slots, 3);
    slots.markOverflow('wh', 9_999);
    for (let left = 0; left < 3; left++) slots.release('wh');
    expect(asked).toEqual([5_001, 9_999]);
  });

  it.each([
    ['some quick failures', 6, 10, 4],
    ['only quick failures', 10, 10, 1],
    ['some slow failures', 6, 2_000, 1],
  ])('with %s (%i of 10) of %i ms each, keeps at least %i slots', (_, failuresOfTen, durationMs, least) => {
    const slots = new WebhookSlots<number>();
    slots.tryAcquire('wh', 'first', 0);
    for (let attempt = 0; attempt < 1_000; attempt++) slots.recordAttempt('wh', attempt % 10 >= failuresOfTen, durationMs);
    for (let failure = 0; failure < failuresOfTen; failure++) slots.recordAttempt('wh', false, durationMs);
    slots.release('wh');
    const cap = capOf(slots);
    expect(cap).toBeGreaterThanOrEqual(least);
    expect(cap).toBeLessThanOrEqual(least + 1);
  });

  it('assigns few slots to a slow webhook, even if its attempts succeed', () => {
    const slots = new WebhookSlots<number>();
    slots.tryAcquire('wh', 'first', -1);
    for (let success = 0; success < 10; success++) slots.recordAttempt('wh', true, 9_000);
    expect(enterMany(slots, 5)).toBe(1);
  });

  it('keeps slots for healthy webhooks while many other webhooks wait, and lets the other webhooks take turns', () => {
    const slots = new WebhookSlots<string>(undefined, { all: 10, healthy: 8, unknown: 6, failing: 3 });
    slots.tryAcquire('good', 'g0', 'g0');
    slots.recordAttempt('good', true, 10);
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
    const slots = new WebhookSlots<number>();
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
