import { describe, expect, it } from '@jest/globals';
import { WebhookSlots } from './webhook-slots.js';

const enterMany = (slots: WebhookSlots<number>, count: number, first = 0): number =>
  Array.from({ length: count }, (_, index) => first + index).filter((job) => slots.enter('wh', `job-${job}`, job)).length;

describe('WebhookSlots', () => {
  it('lets an unknown webhook have few places, and parks the rest in order', () => {
    const slots = new WebhookSlots<number>();
    expect(enterMany(slots, 20)).toBe(4);
    expect(slots.enter('other', 'x', 0)).toBe(true);
    expect(slots.leave('wh')).toEqual([4]);
    expect(slots.leave('wh')).toEqual([5]);
  });

  it('gives more with each success, up to a limit', () => {
    const slots = new WebhookSlots<number>();
    enterMany(slots, 100);
    slots.note('wh', true, 10);
    expect(slots.leave('wh')).toEqual([4, 5]);
    for (let success = 0; success < 100; success++) slots.note('wh', true, 10);
    expect(slots.leave('wh')).toHaveLength(32 - 4);
  });

  it('takes places from one that fails, down to one', () => {
    const slots = new WebhookSlots<number>();
    enterMany(slots, 30);
    for (let failure = 0; failure < 3; failure++) slots.note('wh', false, 10);
    for (let ended = 0; ended < 3; ended++) expect(slots.leave('wh')).toEqual([]);
    expect(slots.leave('wh')).toEqual([4]);
    slots.note('wh', true, 10);
    expect(slots.leave('wh')).toEqual([5, 6]);
  });

  it('has few places for one that is slow, though it answers well', () => {
    const slots = new WebhookSlots<number>();
    slots.enter('wh', 'first', -1);
    for (let success = 0; success < 10; success++) slots.note('wh', true, 9_000);
    expect(enterMany(slots, 5)).toBe(1);
  });

  it('parks a job once, and no more than fit', () => {
    const slots = new WebhookSlots<number>();
    enterMany(slots, 4);
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
