import type { Document } from 'bson';

/** One command that came, other than hello. */
export interface Entry {
  readonly name: string;
  readonly command: Document;
  /** The number of the connection that it came by. */
  readonly connection: number;
  /** Places in the order of all beginnings and ends. */
  readonly beganAt: number;
  endedAt: number | undefined;
}

/** Everything that clients asked for: the witness of a test. */
export class Log {
  readonly entries: Entry[] = [];
  #clock = 0;

  begin(name: string, command: Document, connection: number): Entry {
    const entry: Entry = { name, command, connection, beganAt: ++this.#clock, endedAt: undefined };
    this.entries.push(entry);
    return entry;
  }

  end(entry: Entry): void {
    entry.endedAt = ++this.#clock;
  }

  get names(): string[] {
    return this.entries.map(({ name }) => name);
  }

  count(name: string): number {
    return this.entries.filter((entry) => entry.name === name).length;
  }

  /** Commands that run now. */
  get running(): Entry[] {
    return this.entries.filter(({ endedAt }) => endedAt === undefined);
  }

  /** The most of these that ever ran at the same time. */
  peak(of: (entry: Entry) => boolean): number {
    const changes = this.entries.filter(of).flatMap(({ beganAt, endedAt }) => [
      { at: beganAt, by: 1 },
      { at: endedAt ?? Infinity, by: -1 },
    ]);
    let now = 0;
    let most = 0;
    for (const { by } of changes.toSorted((a, b) => a.at - b.at)) {
      now += by;
      most = Math.max(most, now);
    }
    return most;
  }

  clear(): void {
    this.entries.length = 0;
  }
}
