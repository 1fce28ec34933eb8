import type { Page, PageRequest } from '#platform/common';

const PAGE_SIZE = 500;

/** Returns all items of a list that is newest first, oldest first. */
export async function readAll<T>(readPage: (request: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page++) {
    const { items: read, hasMore } = await readPage({ limit: PAGE_SIZE, page });
    items.push(...read);
    if (!hasMore) return items.toReversed();
  }
}
