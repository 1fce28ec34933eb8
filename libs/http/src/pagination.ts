import { ApiProperty } from '@nestjs/swagger';
import { type FieldProblem, InvalidRequest, type Page, type PageRequest } from '#common';
import { ExactTextField, IntegerQuery } from './fields/index.js';

/** The query parameters of every list. */
export class PageQuery {
  @IntegerQuery({ description: 'How many items to return.', min: 1, max: 100, default: 20 })
  limit?: number;

  @ExactTextField({
    description: 'The id of the last item seen: the list goes on after it. Not together with `page`.',
    maxLength: 64,
  })
  after?: string;

  @IntegerQuery({ description: 'The number of the page, from 1: for people. Programs walk with `after`.', min: 1, max: 100_000 })
  page?: number;

  /** @throws InvalidRequest when both a cursor and a page number are given. */
  static read(query: PageQuery): PageRequest {
    if (query.after !== undefined && query.page !== undefined) {
      const problem: FieldProblem = {
        pointer: '/page',
        in: 'query',
        code: 'conflicting_parameters',
        message: 'Use either `after` or `page`, not both.',
      };
      throw new InvalidRequest([problem]);
    }
    return { limit: query.limit ?? 20, after: query.after, page: query.page };
  }
}

/** Where in the list an answer stands. */
export class Pagination {
  @ApiProperty({ description: 'How many items the whole list has; exact.', type: 'integer', example: 42 })
  total!: number;

  @ApiProperty({ description: 'The number of this page, from 1.', type: 'integer', example: 1 })
  page!: number;

  @ApiProperty({ description: 'How many items a page has at most.', type: 'integer', example: 20 })
  limit!: number;

  @ApiProperty({ description: 'Whether there are items after these.', example: true })
  hasMore!: boolean;
}

/** The answer of every list: `data` and `pagination`. */
export interface ListAnswer<T> {
  data: T[];
  pagination: Pagination;
}

export function listAnswer<T, R>(page: Page<T>, shown: (item: T) => R): ListAnswer<R> {
  const { total, limit, hasMore } = page;
  return { data: page.items.map(shown), pagination: { total, page: page.page, limit, hasMore } };
}
