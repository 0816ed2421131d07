import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Opening, Slice, SliceOrder } from './worker.ts';

const worker = fileURLToPath(new URL('worker.js', import.meta.url));

/** A kind in its process. */
class Side {
  readonly #child: ChildProcess = fork(worker);

  async open(opening: Opening): Promise<void> {
    await this.#ask(opening);
  }

  async slice(order: SliceOrder): Promise<Slice> {
    const slice = await this.#ask(order);
    if (!slice) throw new Error('the child gave no figures');
    return slice;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }

  #ask(message: Opening | SliceOrder): Promise<Slice | null> {
    return new Promise((resolve, reject) => {
      const failed = (code: number): void => reject(new Error(`the child ended with ${code}`));
      this.#child.once('exit', failed);
      this.#child.once('message', (slice: Slice | null) => {
        this.#child.off('exit', failed);
        resolve(slice);
      });
      this.#child.send(message);
    });
  }
}

export interface PairOptions {
  readonly url: string;
  readonly subject: string;
  readonly against: string;
  readonly callers: number;
  readonly queries: number;
  readonly warmUps: number;
  readonly slices: number;
}

export interface PairOfSlices {
  readonly subject: Slice;
  readonly against: Slice;
}

/**
 * Both sides stay open and take turns, one slice each, so that what disturbs the machine disturbs
 * both; the order changes each time.
 */
export async function measurePair(options: PairOptions): Promise<PairOfSlices[]> {
  const { url, callers, queries, warmUps, slices } = options;
  const subject = new Side();
  const against = new Side();
  try {
    await Promise.all([
      subject.open({ kind: options.subject, url }),
      against.open({ kind: options.against, url }),
    ]);
    const measured: PairOfSlices[] = [];
    for (let turn = 0; turn < warmUps + slices; turn++) {
      const order = turn % 2 === 0 ? [subject, against] : [against, subject];
      const taken = new Map<Side, Slice>();
      for (const side of order) taken.set(side, await side.slice({ callers, queries }));
      const [ours, theirs] = [taken.get(subject), taken.get(against)];
      if (ours && theirs && turn >= warmUps) measured.push({ subject: ours, against: theirs });
    }
    return measured;
  } finally {
    await Promise.all([subject.close(), against.close()]);
  }
}
