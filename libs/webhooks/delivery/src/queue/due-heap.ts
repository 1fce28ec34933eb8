/** A binary heap of items, ordered by due time, earliest first. */
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
      if (this.dueAtMs(parent) <= dueAtMs) break;
      this.swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the earliest item, if it is due. */
  takeDue(nowMs: number): T | undefined {
    const { entries } = this;
    const first = entries[0];
    if (!first || first.dueAtMs > nowMs) return undefined;
    const last = entries.pop();
    if (last && entries.length > 0) {
      entries[0] = last;
      this.sink();
    }
    return first.item;
  }

  private sink(): void {
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let earliest = index;
      if (this.dueAtMs(left) < this.dueAtMs(earliest)) earliest = left;
      if (this.dueAtMs(right) < this.dueAtMs(earliest)) earliest = right;
      if (earliest === index) return;
      this.swap(index, earliest);
      index = earliest;
    }
  }

  private swap(one: number, other: number): void {
    const [first, second] = [this.entries[one], this.entries[other]];
    if (!first || !second) return;
    this.entries[one] = second;
    this.entries[other] = first;
  }

  /** Returns the due time of an entry, or Infinity for an index after the last entry. */
  private dueAtMs(index: number): number {
    return this.entries[index]?.dueAtMs ?? Infinity;
  }
}
