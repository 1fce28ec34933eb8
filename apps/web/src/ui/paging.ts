import { useNavigate, useSearch } from '@tanstack/react-router';

/** The page size of the API. */
export const DEFAULT_PAGE_SIZE = 20;

/** The page sizes of lists. */
export const PAGE_SIZES = [DEFAULT_PAGE_SIZE, 50, 100] as const;

const PAGE_MAX = 100_000;

/** The page of a list. Undefined values are the defaults. */
export interface Paging {
  readonly page?: number;
  readonly limit?: number;
}

/** What `DataTable` calls when the user selects a page or a page size. */
export interface PagingHandlers {
  readonly onPage: (page: number) => void;
  readonly onLimit: (limit: number) => void;
}

/** Returns the page and the page size in the URL. Invalid values count as absent. */
export function pagingIn(raw: Record<string, unknown>): Paging {
  const page = Number(raw['page']);
  const limit = PAGE_SIZES.find((size) => size === Number(raw['limit']) && size !== DEFAULT_PAGE_SIZE);
  return { ...(Number.isInteger(page) && page > 1 && page <= PAGE_MAX && { page }), ...(limit && { limit }) };
}

/** Returns the page of the list in the URL, and changes it there. Keeps the other parameters of the URL. */
export function usePaging(): Paging & PagingHandlers {
  const { page, limit } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Paging) => void navigate({ to: '.', search: (before) => ({ ...before, ...changes }) });
  return {
    page,
    limit,
    onPage: (next) => change({ page: next === 1 ? undefined : next }),
    onLimit: (next) => change({ page: undefined, limit: next === DEFAULT_PAGE_SIZE ? undefined : next }),
  };
}
