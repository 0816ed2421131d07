import type { Holder } from './errors.ts';

/** Why a call is told no; all that decides what `Circumstances` say, besides the holders. */
export interface Grounds {
  /** When it is told, on the partition's clock. */
  readonly at: number;
  /** The first words of the message. */
  readonly words: string;
  /** waiting: for a permit. connecting: a permit was there, the connection was not yet. */
  readonly step: 'waiting' | 'connecting';
  readonly inUse: number;
  /** The setting that would have admitted the call, with the value it has now. */
  readonly setting: string | undefined;
}

/** The partition, as far as its message tells of it. */
interface Place {
  readonly name: string;
  readonly size: number;
  readonly max: number;
}

/**
 * What all are told alike who are told no at the same moment, of whom there may be thousands. The
 * words are put together once: done for each, they were a third of the cost of a timeout.
 */
export class Circumstances {
  readonly #grounds: Grounds;
  readonly holders: readonly Holder[];
  readonly #before: string;
  readonly #between: string;
  readonly #after: string;

  constructor(grounds: Grounds, { name, size, max }: Place, holders: readonly Holder[]) {
    const { words, step, inUse, setting } = grounds;
    const ceiling = max === size ? `${size}` : `${max} (size ${size})`;
    const doing = step === 'waiting' ? 'waited' : 'waited for a connection';
    const advice = setting ? `; would have been admitted by more than ${setting}` : '';
    this.#grounds = grounds;
    this.holders = holders;
    const end = words.endsWith('.') ? '' : ':';
    this.#before = `${words}${end} partition '${name}' ${doing} `;
    this.#between = ` ms, in use ${inUse} of ${ceiling}, waiting `;
    this.#after = describeLongest(holders[0]) + advice;
  }

  /** Whether they are those of another call, too. */
  applyTo({ at, words, step, inUse, setting }: Grounds): boolean {
    const mine = this.#grounds;
    return (
      at === mine.at &&
      words === mine.words &&
      step === mine.step &&
      inUse === mine.inUse &&
      setting === mine.setting
    );
  }

  message(waitedMillis: number, waiting: number): string {
    return this.#before + Math.round(waitedMillis) + this.#between + waiting + this.#after;
  }
}

/** Who has held longest. */
function describeLongest(holder: Holder | undefined): string {
  if (!holder) return '';
  const { label, heldMillis, state, ...known } = holder;
  const words = Object.entries(known).map(([key, value]) => `${key} ${String(value)}`);
  if (label !== undefined) words.unshift(`'${label}'`);
  const by = words.length > 0 ? ` by ${words.join(', ')}` : '';
  const still = typeof state === 'string' ? `, still ${state}` : '';
  return `; longest held ${Math.round(heldMillis)} ms${by}${still}`;
}
