import { describe, expect, it } from '@jest/globals';
import { WebhookSlots } from './webhook-slots.js';

const enterMany = (slots: WebhookSlots<number>, count: number, first = 0): number =>
  Array.from({ length: count }, (_, index) => first + index).filter((job) => slots.enter('wh', `job-${job}`, job)).length;

/** How many may be under way at once, with more than enough to do. */
const capOf = (slots: WebhookSlots<number>): number => enterMany(slots, 200, 1_000);

describe('WebhookSlots', () => {
  it('tries an unknown webhook once before it gets more, and parks the rest in order', () => {
    const slots = new WebhookSlots<number>();
    expect(enterMany(slots, 20)).toBe(1);
    expect(slots.enter('other', 'x', 0)).toBe(true);
    slots.note('wh', true, 10);
    expect(slots.leave('wh')).toEqual([1, 2, 3, 4, 5]);
    expect(slots.leave('wh')).toEqual([6]);
  });

  it.each([
    [10, 128],
    [500, 32],
  ])('gives more with each success of %i ms, up to %i, and remembers it', (durationMs, most) => {
    const slots = new WebhookSlots<number>();
    slots.enter('wh', 'first', 0);
    for (let success = 0; success < 200; success++) slots.note('wh', true, durationMs);
    expect(slots.leave('wh')).toEqual([]);
    expect(slots.roomFor('wh', 0)).toBe(most);
    expect(capOf(slots)).toBe(most);
    expect(slots.roomFor('wh', 0)).toBe(0);
  });

  it('has no room for more than there are places in all', () => {
    const slots = new WebhookSlots<number>(undefined, { all: 10, proven: 10, unknown: 6, failing: 3 });
    expect(slots.roomFor('wh', 9)).toBe(1);
    expect(slots.roomFor('wh', 10)).toBe(0);
    for (const other of ['a', 'b', 'c', 'd', 'e', 'f']) slots.enter(other, other, 0);
    expect(slots.roomFor('wh', 0)).toBe(0);
  });

  it('begins no more of proven webhooks than is allowed, and goes on with what waited after that', () => {
    const slots = new WebhookSlots<number>();
    slots.enter('wh', 'first', 0);
    for (let success = 0; success < 100; success++) slots.note('wh', true, 10);
    slots.leave('wh');
    expect(slots.allow(16)).toEqual([]);
    expect(slots.roomFor('wh', 15)).toBeGreaterThan(0);
    expect(slots.roomFor('wh', 16)).toBe(0);
    expect(enterMany(slots, 40, 100)).toBe(16);
    expect(slots.leave('wh')).toEqual([]);
    expect(slots.enter('unknown', 'x', 0)).toBe(true);
    expect(slots.allow(2)).toEqual([116, 117]);
    const [first, ...others] = slots.allow(Infinity);
    expect([first, others.length]).toEqual([118, 21]);
  });

  it('asks for more of a webhook once few of its jobs are left and others were turned away', () => {
    const asked: number[] = [];
    const slots = new WebhookSlots<number>((turnedAway) => asked.push(turnedAway));
    enterMany(slots, 5_002);
    expect(slots.leave('wh')).toEqual([1]);
    expect(asked).toEqual([]);
    for (let left = 0; left < 5_000; left++) slots.leave('wh');
    expect(asked).toEqual([5_001]);
    enterMany(slots, 3);
    slots.turnAway('wh', 9_999);
    for (let left = 0; left < 3; left++) slots.leave('wh');
    expect(asked).toEqual([5_001, 9_999]);
  });

  it.each([
    ['quick failures now and then', 6, 10, 4],
    ['quick failures alone', 10, 10, 1],
    ['slow failures now and then', 6, 2_000, 1],
  ])('with %s (%i of 10) of %i ms each, keeps %i or more', (_, failuresOfTen, durationMs, least) => {
    const slots = new WebhookSlots<number>();
    slots.enter('wh', 'first', 0);
    for (let attempt = 0; attempt < 1_000; attempt++) slots.note('wh', attempt % 10 >= failuresOfTen, durationMs);
    for (let failure = 0; failure < failuresOfTen; failure++) slots.note('wh', false, durationMs);
    slots.leave('wh');
    const cap = capOf(slots);
    expect(cap).toBeGreaterThanOrEqual(least);
    expect(cap).toBeLessThanOrEqual(least + 1);
  });

  it('has few places for one that is slow, though it answers well', () => {
    const slots = new WebhookSlots<number>();
    slots.enter('wh', 'first', -1);
    for (let success = 0; success < 10; success++) slots.note('wh', true, 9_000);
    expect(enterMany(slots, 5)).toBe(1);
  });

  it('leaves places to proven webhooks, however many others there are, and has these take turns', () => {
    const slots = new WebhookSlots<string>(undefined, { all: 10, proven: 8, unknown: 6, failing: 3 });
    slots.enter('good', 'g0', 'g0');
    slots.note('good', true, 10);
    slots.leave('good');

    const begun = Array.from({ length: 20 }, (_, index) => `bad-${index}`).filter((bad) => slots.enter(bad, `${bad}-1`, bad));
    expect(begun).toHaveLength(6);
    for (const bad of begun) slots.note(bad, false, 15_000);
    for (let job = 0; job < 4; job++) expect(slots.enter('good', `g${job}`, `g${job}`)).toBe(true);

    // Six failing ones are under way, twice as many as may be: three have to end before there is room for others not known yet.
    expect(begun.slice(0, 3).map((bad) => slots.leave(bad))).toEqual([['bad-6'], ['bad-7'], ['bad-8']]);
    for (const bad of ['bad-6', 'bad-7', 'bad-8']) slots.note(bad, false, 15_000);
    for (const bad of begun) slots.enter(bad, `${bad}-2`, bad);
    const turns = ['bad-3', 'bad-4', 'bad-5', 'bad-6', 'bad-7', 'bad-8'].flatMap((bad) => {
      const next = slots.leave(bad);
      for (const other of next) slots.note(other, false, 15_000);
      return next;
    });
    expect(new Set(turns).size).toBe(turns.length);
    expect(turns).toEqual(expect.arrayContaining(['bad-9', 'bad-10']));
  });

  it('parks a job once, and no more than fit', () => {
    const slots = new WebhookSlots<number>();
    enterMany(slots, 1);
    for (let time = 0; time < 3_000; time++) slots.enter('wh', 'same', 99);
    expect(slots.isCrowded('wh')).toBe(false);
    enterMany(slots, 10_000, 100);
    expect(slots.isCrowded('wh')).toBe(true);
    expect(slots.leave('wh')).toEqual([99]);
    slots.clear();
    expect(slots.isCrowded('wh')).toBe(false);
    expect(slots.leave('wh')).toEqual([]);
  });
});
