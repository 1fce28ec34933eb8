import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SocketBudget } from './socket-budget.js';

/** Returns functions that start and end exchanges by name, and the names of the started exchanges. */
function exchanges(budget: SocketBudget) {
  const begun: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    begun,
    enter: (origin: string, name: string) =>
      leave.set(
        name,
        budget.enter(origin, () => void begun.push(name)),
      ),
    leave: (name: string) => leave.get(name)!(),
  };
}

describe('exchanges in the socket budget', () => {
  it('start immediately while their origin has a free slot, and wait otherwise', () => {
    const { begun, enter, leave } = exchanges(new SocketBudget(10, 2));
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter('a', name);
    expect(begun).toEqual(['a1', 'a2']);
    enter('b', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    leave('a2');
    leave('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    leave('a1');
    expect(begun.at(-1)).toBe('a4');
  });

  it('share the total limit, and their origins take turns when the limit is reached', () => {
    const { begun, enter, leave } = exchanges(new SocketBudget(2, 2));
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter('a', name);
    for (const name of ['b1', 'b2']) enter('b', name);
    enter('c', 'c1');
    expect(begun).toEqual(['a1', 'a2']);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4']) leave(name);
    expect(begun.slice(2)).toEqual(['a3', 'b1', 'c1', 'a4', 'b2']);
  });

  it("don't delay exchanges with other origins while they wait for their own origin", () => {
    const { begun, enter, leave } = exchanges(new SocketBudget(3, 1));
    for (const name of ['a1', 'a2']) enter('a', name);
    for (const name of ['b1', 'b2']) enter('b', name);
    enter('c', 'c1');
    enter('d', 'd1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    // a2 and b2 are first in the queue, but their origins have no free slot.
    leave('c1');
    expect(begun.at(-1)).toBe('d1');
    leave('b1');
    expect(begun.at(-1)).toBe('b2');
  });

  it('never start and release no slot if they are canceled while they wait', () => {
    const { begun, enter, leave } = exchanges(new SocketBudget(1, 1));
    for (const name of ['a1', 'a2', 'a3']) enter('a', name);
    enter('b', 'b1');
    leave('a2');
    enter('c', 'c1');
    expect(begun).toEqual(['a1']);
    leave('a1');
    expect(begun).toEqual(['a1', 'a3']);
    leave('b1');
    leave('a3');
    expect(begun).toEqual(['a1', 'a3', 'c1']);
  });

  it('all start eventually, never exceed the limits, and release all slots', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20)), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), (steps, most, mostOfOrigin) => {
        const budget = new SocketBudget(most, mostOfOrigin);
        const running: { origin: string; leave: () => void }[] = [];
        let begun = 0;
        const check = () => {
          expect(running.length).toBeLessThanOrEqual(most);
          for (const origin of 'abc')
            expect(running.filter((each) => each.origin === origin).length).toBeLessThanOrEqual(mostOfOrigin);
        };
        const end = (index: number) => {
          const [exchange] = running.splice(index % running.length, 1);
          exchange?.leave();
          check();
        };
        for (const [origin, index] of steps) {
          const exchange = { origin, leave: () => {} };
          exchange.leave = budget.enter(origin, () => {
            begun += 1;
            running.push(exchange);
          });
          check();
          if (index < 8) end(index);
        }
        while (running.length > 0) end(0);
        expect(begun).toBe(steps.length);
        const again = exchanges(budget);
        for (let index = 0; index < most; index += 1) again.enter(String(index), String(index));
        expect(again.begun).toHaveLength(most);
      }),
    );
  });
});

describe('sockets in the socket budget', () => {
  const adopt = (budget: SocketBudget, origin: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new Socket();
      budget.adopt(origin, socket);
      return socket;
    });
  const open = (...sockets: Socket[]) => sockets.map(({ destroyed }) => !destroyed);

  it('stay open up to the limit', () => {
    const budget = new SocketBudget(3, 3);
    expect(open(...adopt(budget, 'a', 2), ...adopt(budget, 'b'))).toEqual([true, true, true]);
  });

  it('are closed beyond the limit if their origins are idle, longest unused origin first', () => {
    const budget = new SocketBudget(3, 3);
    const [a, b] = [adopt(budget, 'a', 2), adopt(budget, 'b')];
    // An origin with an exchange was used last.
    budget.enter('a', () => {})();
    const [c] = adopt(budget, 'c');
    expect(open(...a, ...b, c!)).toEqual([true, true, false, true]);
    const [d] = adopt(budget, 'd');
    expect(open(...a, c!, d!)).toEqual([false, false, true, true]);
  });

  it('stay open beyond the limit while their origins are in use', () => {
    const budget = new SocketBudget(2, 2);
    const leave = budget.enter('a', () => {});
    const [a] = adopt(budget, 'a');
    const [b] = adopt(budget, 'b');
    const [c] = adopt(budget, 'c');
    expect(open(a!, b!, c!)).toEqual([true, false, true]);
    leave();
    const [d] = adopt(budget, 'd');
    expect(open(a!, c!, d!)).toEqual([true, false, true]);
    const [e] = adopt(budget, 'e');
    expect(open(a!, d!, e!)).toEqual([false, true, true]);
  });

  it('are closed beyond the limit even if no exchange used them', () => {
    const budget = new SocketBudget(1, 1);
    budget.enter('unreachable', () => {})();
    const [a] = adopt(budget, 'a');
    const [b] = adopt(budget, 'b');
    expect(open(a!, b!)).toEqual([false, true]);
  });

  it('are no longer counted after they close by themselves', async () => {
    const budget = new SocketBudget(2, 2);
    const [first, second] = adopt(budget, 'a', 2);
    first!.destroy();
    await nextTurn();
    const [b] = adopt(budget, 'b');
    expect(open(second!, b!)).toEqual([true, true]);
    second!.destroy();
    b!.destroy();
    await nextTurn();
    expect(open(...adopt(budget, 'c', 2))).toEqual([true, true]);
  });

  it('are subtracted only once if they were closed to free slots', async () => {
    const budget = new SocketBudget(1, 1);
    adopt(budget, 'a');
    const [b] = adopt(budget, 'b');
    await nextTurn();
    const [c] = adopt(budget, 'c');
    expect(open(b!, c!)).toEqual([false, true]);
  });
});
