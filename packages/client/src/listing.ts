/** Where a page stands in its list. */
export interface Pagination {
  /** How many items the whole list has; exact. */
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** One page of a list. */
export interface Page<Item> {
  readonly data: Item[];
  readonly pagination: Pagination;
}

/** What tells items of a list apart: members go by the user. */
interface Listed {
  readonly id?: string;
  readonly userId?: string;
}

/**
 * A list of the service. Nothing is asked for until it is walked: `for await (const user of identity.listUsers({ org }))` goes
 * through all pages; nothing that was there all along is skipped or repeated, whatever others write meanwhile.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #pageAfter: (after: string | undefined) => Promise<Page<Item>>;

  /** @param pageAfter asks for the page behind an item, or for the one that the caller asked for */
  constructor(pageAfter: (after: string | undefined) => Promise<Page<Item>>) {
    this.#pageAfter = pageAfter;
  }

  /** One page: the first, or the one that `after` or `page` asks for. */
  page(): Promise<Page<Item>> {
    return this.#pageAfter(undefined);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after: string | undefined;
    do {
      const page = await this.#pageAfter(after);
      yield page;
      const last = page.data.at(-1) as Listed | undefined;
      after = page.pagination.hasMore ? (last?.id ?? last?.userId) : undefined;
    } while (after !== undefined);
  }

  /** Item after item, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The first `limit` items, over as many pages as that takes. */
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
