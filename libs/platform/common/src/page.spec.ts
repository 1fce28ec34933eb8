import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { offsetOf, pageOf, type PageRequest } from './page.js';

const ROWS = Array.from({ length: 25 }, (_, index) => `row ${25 - index}`);

/** Returns a page as a repository does: reads the rows after the cursor or the offset, plus one row. */
function read(request: PageRequest) {
  const start = request.after === undefined ? offsetOf(request) : ROWS.indexOf(request.after) + 1;
  return pageOf(request, ROWS.slice(start, start + request.limit + 1), ROWS.length, start);
}

describe('a page', () => {
  it.each([
    [{ limit: 10 }, 0],
    [{ limit: 10, page: 1 }, 0],
    [{ limit: 10, page: 3 }, 20],
    [{ limit: 10, after: 'row 5' }, 0],
  ])('for the request %j, skips %i rows', (request, skipped) => expect(offsetOf(request)).toBe(skipped));

  it.each([
    [1, 10, true, 'row 25'],
    [2, 10, true, 'row 15'],
    [3, 5, false, 'row 5'],
    [4, 0, false, undefined],
  ])('with page number %i, has %i items', (page, count, hasMore, first) => {
    const { items, ...rest } = read({ limit: 10, page });
    expect([items.length, items[0], rest]).toEqual([count, first, { total: 25, page, limit: 10, hasMore }]);
  });

  it('has no more rows if it ends with the last row', () => {
    expect(read({ limit: 25 })).toMatchObject({ hasMore: false, page: 1 });
    expect(read({ limit: 24 }).hasMore).toBe(true);
  });

  it('contains each row once when read by cursor, with the right page numbers, for any limit', () => {
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
