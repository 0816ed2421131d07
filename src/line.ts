import type { Waiter } from './waiter.ts';

/** Waiters of one priority: first in, first out, anybody may leave from the middle in O(1). */
class Level {
  readonly priority: number;
  #first: Waiter | undefined = undefined;
  #last: Waiter | undefined = undefined;

  constructor(priority: number) {
    this.priority = priority;
  }

  get first(): Waiter | undefined {
    return this.#first;
  }

  push(waiter: Waiter): void {
    waiter.lineBefore = this.#last;
    if (this.#last) this.#last.lineAfter = waiter;
    else this.#first = waiter;
    this.#last = waiter;
  }

  // The links of a waiter that left are cut: a settled waiter must not keep live ones reachable.
  remove(waiter: Waiter): void {
    const { lineBefore, lineAfter } = waiter;
    if (lineBefore) lineBefore.lineAfter = lineAfter;
    else this.#first = lineAfter;
    if (lineAfter) lineAfter.lineBefore = lineBefore;
    else this.#last = lineBefore;
    waiter.lineBefore = undefined;
    waiter.lineAfter = undefined;
  }
}

/**
 * The line of one partition: higher priority first, first come first served among equals (I6).
 * Constant time for the usual case of few distinct priorities.
 */
export class Line {
  /** Highest priority first. None is empty, except that an empty line keeps one level for reuse. */
  readonly #levels: Level[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): Waiter | undefined {
    return this.#levels[0]?.first;
  }

  push(waiter: Waiter): void {
    this.#level(waiter.priority).push(waiter);
    this.#length++;
  }

  remove(waiter: Waiter): void {
    const index = this.#indexOf(waiter.priority);
    const level = this.#levels[index] as Level;
    level.remove(waiter);
    if (level.first === undefined && this.#levels.length > 1) this.#levels.splice(index, 1);
    this.#length--;
  }

  /** Every waiter in the order in which it would be served. */
  *[Symbol.iterator](): Generator<Waiter> {
    for (const level of this.#levels) {
      for (let waiter = level.first; waiter; waiter = waiter.lineAfter) yield waiter;
    }
  }

  #level(priority: number): Level {
    const index = this.#indexOf(priority);
    const found = this.#levels[index];
    if (found?.priority === priority) return found;
    const level = new Level(priority);
    if (this.#length === 0) this.#levels.splice(0, this.#levels.length, level);
    else this.#levels.splice(index, 0, level);
    return level;
  }

  /** Where the level of this priority is or belongs (binary search). */
  #indexOf(priority: number): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#levels[middle] as Level).priority > priority) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
