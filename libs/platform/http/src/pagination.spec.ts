import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '#platform/common';
import { listResponse, PageQuery } from './pagination.js';

describe('PageQuery', () => {
  it.each([
    [{}, { limit: 20 }],
    [{ limit: 100 }, { limit: 100 }],
    [
      { limit: 5, after: 'usr_1' },
      { limit: 5, after: 'usr_1' },
    ],
    [{ page: 7 }, { limit: 20, page: 7 }],
  ])('converts the query %j to the request %j', (query, request) => expect(PageQuery.read(query)).toEqual(request));

  it('rejects a query with a cursor and a page number', () => {
    const read = () => PageQuery.read({ after: 'usr_1', page: 1 });
    expect(read).toThrow(InvalidRequest);
    expect(read).toThrow(
      expect.objectContaining({
        errors: [
          { pointer: '/page', in: 'query', code: 'conflicting_parameters', message: expect.stringMatching(/`after` or `page`/) },
        ],
      }),
    );
  });
});

describe('listResponse', () => {
  it('returns the items and the pagination', () => {
    const page = { items: [1, 2], total: 12, page: 3, limit: 2, hasMore: true };
    expect(listResponse(page, (item) => ({ id: item }))).toEqual({
      data: [{ id: 1 }, { id: 2 }],
      pagination: { total: 12, page: 3, limit: 2, hasMore: true },
    });
  });
});
