/**
 * A run over time, for pictures. Whoever draws two runs side by side needs the same moments in both,
 * so they follow from the scenario and not from what the run did.
 */
import { pause, type RehearsalClock } from './clock.ts';
import { totalMillis, type Scenario } from './scenario.ts';
import type { Loss, Tally } from './tally.ts';

/**
 * Moment k is `k * everyMillis` after the start of the run, in every run of the scenario. At the last
 * one every request has been settled, so a run that ends late has more of them.
 */
export interface Timeline {
  readonly everyMillis: number;
  /** What the server itself counted, by its latest answer at each moment. */
  readonly connections: readonly number[];
  readonly partitions: Readonly<Record<string, PartitionTimeline>>;
}

/** One figure for each moment in every list. */
export interface PartitionTimeline extends Readonly<Record<Loss, readonly number[]>> {
  /** Connections held, at the moment. */
  readonly inUse: readonly number[];
  /** Requests in line, at the moment. */
  readonly waiting: readonly number[];
  /** Answered in time since the moment before; so are the others counted, and each adds up to that of the result. */
  readonly servedInTime: readonly number[];
  readonly late: readonly number[];
}

export interface TimelineOptions {
  readonly clock: RehearsalClock;
  readonly scenario: Scenario;
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly connections: () => number;
  /** Aborted when every request has been settled. */
  readonly done: AbortSignal;
}

/** Fine enough for a picture, and one timer in 80 ms at the usual scale: nothing beside the load. */
const intervals = 200;

/** Looks at the tallies at each moment until `done`; they count by themselves and notice nothing of it. */
export async function recordTimeline(options: TimelineOptions): Promise<Timeline> {
  const { clock, done } = options;
  const everyMillis = totalMillis(options.scenario) / intervals;
  const connections: number[] = [];
  const rows = [...options.tallies].map(([name, tally]) => ({ name, row: new Row(tally) }));
  const start = clock.now();
  const due = (): number => start + connections.length * everyMillis - clock.now();
  const record = (): void => {
    connections.push(options.connections());
    for (const { row } of rows) row.record();
  };
  for (;;) {
    // A machine that stood still has passed several: they all show what is seen now.
    while (due() <= 0) record();
    if (done.aborted) break;
    // Timers know nothing finer than a millisecond.
    await pause(clock, Math.max(1, due()), done);
  }
  record();
  const partitions = Object.fromEntries(rows.map(({ name, row }) => [name, row.lists]));
  return { everyMillis, connections, partitions };
}

const counted = ['servedInTime', 'late', 'refused', 'timedOut', 'failed'] as const;
type Counted = (typeof counted)[number];
type Counts = Readonly<Record<Counted, number>>;

class Row {
  readonly lists: Record<Counted | 'inUse' | 'waiting', number[]> = {
    inUse: [],
    waiting: [],
    servedInTime: [],
    late: [],
    refused: [],
    timedOut: [],
    failed: [],
  };
  readonly #tally: Tally;
  #before: Counts = { servedInTime: 0, late: 0, refused: 0, timedOut: 0, failed: 0 };

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  record(): void {
    const { inUse, waiting, served, ...counts } = this.#tally.progress();
    const now: Counts = { ...counts, late: served - counts.servedInTime };
    this.lists.inUse.push(inUse);
    this.lists.waiting.push(waiting);
    for (const each of counted) this.lists[each].push(now[each] - this.#before[each]);
    this.#before = now;
  }
}
