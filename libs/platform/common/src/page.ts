/** A request for a page of a list: the items after the item with the ID `after`, or the page with the number `page` (from 1). */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string;
  readonly page?: number;
}

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** Returns the number of rows to skip: 0 with a cursor. */
export function offsetOf(request: PageRequest): number {
  return request.after === undefined ? ((request.page ?? 1) - 1) * request.limit : 0;
}

/** Returns a page. If more rows follow, `rows` has one row more than `limit`. `precedingCount` is the number of rows before the page. */
export function pageOf<T>(request: PageRequest, rows: readonly T[], total: number, precedingCount: number): Page<T> {
  return {
    items: rows.slice(0, request.limit),
    total,
    page: Math.floor(precedingCount / request.limit) + 1,
    limit: request.limit,
    hasMore: rows.length > request.limit,
  };
}
