/** Which part of a list is wanted: the items after the one with id `after`, or the 1-based page `page`; never both. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string;
  readonly page?: number;
}

/** A part of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** How many rows a numbered page skips; a walk by cursor skips none. */
export function offsetOf(request: PageRequest): number {
  return request.after === undefined ? ((request.page ?? 1) - 1) * request.limit : 0;
}

/** A page from rows read with one more than `limit`, which tells whether there are more; `precedingCount` rows came before it. */
export function pageOf<T>(request: PageRequest, rows: readonly T[], total: number, precedingCount: number): Page<T> {
  return {
    items: rows.slice(0, request.limit),
    total,
    page: Math.floor(precedingCount / request.limit) + 1,
    limit: request.limit,
    hasMore: rows.length > request.limit,
  };
}
