import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { offsetOf, pageOf, type PageRequest } from './page.js';

const ROWS = Array.from({ length: 25 }, (_, index) => `row ${25 - index}`);

/** Returns a page like a repository: reads one row more than the limit. */
function read(request: PageRequest) {
  const start = request.after === undefined ? offsetOf(request) : ROWS.indexOf(request.after) + 1;
  return pageOf(request, ROWS.slice(start, start + request.limit + 1), ROWS.length, start);
}

describe('pageOf', () => {
  it.each([
    [{ limit: 10 }, 0],
    [{ limit: 10, page: 1 }, 0],
    [{ limit: 10, page: 3 }, 20],
    [{ limit: 10, after: 'row 5' }, 0],
  ])('offsetOf maps the request %j to %i', (request, skipped) => expect(offsetOf(request)).toBe(skipped));

  it.each([
    [1, 10, true, 'row 25'],
    [2, 10, true, 'row 15'],
    [3, 5, false, 'row 5'],
    [4, 0, false, undefined],
  ])('returns page number %i with %i items', (page, count, hasMore, first) => {
    const { items, ...rest } = read({ limit: 10, page });
    expect([items.length, items[0], rest]).toEqual([count, first, { total: 25, page, limit: 10, hasMore }]);
  });

  it('returns hasMore false for the last page', () => {
    expect(read({ limit: 25 })).toMatchObject({ hasMore: false, page: 1 });
    expect(read({ limit: 24 }).hasMore).toBe(true);
  });

  it('returns each row exactly once if the client uses cursors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (limit) => {
        const itemsRead: string[] = [];
        let page = read({ limit });
        for (let number = 1; ; number += 1) {
          expect(page).toMatchObject({ page: number, total: 25, limit });
          itemsRead.push(...page.items);
          if (!page.hasMore) break;
          page = read({ limit, after: itemsRead.at(-1)! });
        }
        expect(itemsRead).toEqual(ROWS);
      }),
    );
  });
});
