export interface Pagination {
  /** The exact number of items in the list. */
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

export interface Page<Item> {
  readonly data: Item[];
  readonly pagination: Pagination;
}

/** Identifies an item of a list. Members have `userId` instead of `id`. */
interface Listed {
  readonly id?: string;
  readonly userId?: string;
}

/**
 * A list of the service. Sends requests only when the list is read: `for await (const user of identity.listUsers({ org }))` loads all
 * pages. Concurrent changes by other callers don't cause skipped or repeated items.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #pageAfter: (after: string | undefined) => Promise<Page<Item>>;

  /** @param pageAfter loads the page after an item or, without an item, the page that the caller requested */
  constructor(pageAfter: (after: string | undefined) => Promise<Page<Item>>) {
    this.#pageAfter = pageAfter;
  }

  /** Returns one page: the first page, or the page that `after` or `page` selects. */
  page(): Promise<Page<Item>> {
    return this.#pageAfter(undefined);
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after: string | undefined;
    do {
      const page = await this.#pageAfter(after);
      yield page;
      const last = page.data.at(-1) as Listed | undefined;
      after = page.pagination.hasMore ? (last?.id ?? last?.userId) : undefined;
    } while (after !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Returns the first `limit` items, from as many pages as necessary. */
  async take(limit: number): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}
