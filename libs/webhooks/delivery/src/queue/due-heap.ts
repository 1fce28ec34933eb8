/** Items by when they are due: a binary heap, the earliest first. */
export class DueHeap<T> {
  private readonly entries: { dueAtMs: number; item: T }[] = [];

  get size(): number {
    return this.entries.length;
  }

  get nextDueAtMs(): number | undefined {
    return this.entries[0]?.dueAtMs;
  }

  push(dueAtMs: number, item: T): void {
    const { entries } = this;
    entries.push({ dueAtMs, item });
    let index = entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (entries[parent]!.dueAtMs <= entries[index]!.dueAtMs) break;
      this.swap(index, parent);
      index = parent;
    }
  }

  /** Takes the earliest item, if it is due by then. */
  takeDue(nowMs: number): T | undefined {
    const { entries } = this;
    const first = entries[0];
    if (!first || first.dueAtMs > nowMs) return undefined;
    const last = entries.pop()!;
    if (entries.length > 0) {
      entries[0] = last;
      this.sink();
    }
    return first.item;
  }

  private sink(): void {
    const { entries } = this;
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (left < entries.length && entries[left]!.dueAtMs < entries[least]!.dueAtMs) least = left;
      if (right < entries.length && entries[right]!.dueAtMs < entries[least]!.dueAtMs) least = right;
      if (least === index) return;
      this.swap(index, least);
      index = least;
    }
  }

  private swap(one: number, other: number): void {
    const kept = this.entries[one]!;
    this.entries[one] = this.entries[other]!;
    this.entries[other] = kept;
  }
}
