/** A binary heap of items by the time when they are due, the earliest first. */
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

  /** Removes and returns the earliest item, if it is due. */
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
      let earliest = index;
      if (left < entries.length && entries[left]!.dueAtMs < entries[earliest]!.dueAtMs) earliest = left;
      if (right < entries.length && entries[right]!.dueAtMs < entries[earliest]!.dueAtMs) earliest = right;
      if (earliest === index) return;
      this.swap(index, earliest);
      index = earliest;
    }
  }

  private swap(one: number, other: number): void {
    const moved = this.entries[one]!;
    this.entries[one] = this.entries[other]!;
    this.entries[other] = moved;
  }
}
