import { ApiProperty } from '@nestjs/swagger';
import { type FieldProblem, InvalidRequest, type Page, type PageRequest } from '#platform/common';
import { Allow } from 'class-validator';
import { ExactTextField, IntegerQuery } from './fields/index.js';

/** The query parameters of every list. */
export class PageQuery {
  @IntegerQuery({ description: 'Maximum number of items per page.', min: 1, max: 100, default: 20 })
  limit?: number;

  @ExactTextField({
    description:
      'Id of the last item of the previous page. The response starts with the item that follows this item. Cannot be combined with `page`.',
    maxLength: 64,
  })
  after?: string;

  @IntegerQuery({
    description: 'Page number, starting at 1. To read a whole list, use `after` instead. Cannot be combined with `after`.',
    min: 1,
    max: 100_000,
  })
  page?: number;

  /** Returns the page request. @throws InvalidRequest (400) if the query has a cursor and a page number */
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

/** The query parameters of a list that can be read as of a past moment. */
export class AsOfPageQuery extends PageQuery {
  /** Documented and checked by the decorator `@AsOf()`. */
  @Allow()
  asOf?: unknown;
}

/** The position of a page in its list. */
export class Pagination {
  @ApiProperty({ description: 'Exact number of items in the whole list.', type: 'integer', example: 42 })
  total!: number;

  @ApiProperty({
    description:
      'Number of this page, starting at 1. If the request has the parameter `after`, the number can be inexact for pages beyond the first 1,000 items.',
    type: 'integer',
    example: 1,
  })
  page!: number;

  @ApiProperty({ description: 'Maximum number of items per page.', type: 'integer', example: 20 })
  limit!: number;

  @ApiProperty({ description: 'Whether there are more items after this page.', example: true })
  hasMore!: boolean;
}

export interface ListResponse<T> {
  data: T[];
  pagination: Pagination;
}

export function listResponse<T, R>(page: Page<T>, responseOf: (item: T) => R): ListResponse<R> {
  const { total, limit, hasMore } = page;
  return { data: page.items.map(responseOf), pagination: { total, page: page.page, limit, hasMore } };
}
