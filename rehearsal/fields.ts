import { isPlainObject, type Faults } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import type { Limits } from './scenario.ts';

export type Given = Readonly<Record<string, unknown>>;

/** Reads the members of a scenario. What is wrong is told to the faults, and something harmless comes back. */
export class Fields {
  readonly faults: Faults;

  constructor(faults: Faults) {
    this.faults = faults;
  }

  object(path: string, given: unknown, known: readonly string[]): Given {
    if (!isPlainObject(given)) {
      this.faults.add(path, 'expected an object', given);
      return {};
    }
    this.faults.unknownKeys(path, given, known);
    return given;
  }

  list(path: string, given: unknown): readonly unknown[] {
    if (!Array.isArray(given)) this.faults.add(path, 'expected a list', given);
    else if (given.length === 0) this.faults.add(path, 'expected at least one, the list is empty');
    return Array.isArray(given) ? given : [];
  }

  text(path: string, given: unknown): string {
    if (typeof given === 'string' && given.trim() !== '') return given;
    this.faults.add(path, 'expected a text', given);
    return '';
  }

  flag(path: string, given: unknown): boolean {
    if (typeof given !== 'boolean') this.faults.add(path, 'expected true or false', given);
    return given === true;
  }

  above0(path: string, given: unknown): number {
    return this.#number(path, given, 'expected a number above 0', (value) => value > 0);
  }

  from0(path: string, given: unknown): number {
    return this.#number(path, given, 'expected a number from 0 up', (value) => value >= 0);
  }

  count(path: string, given: unknown): number {
    return this.faults.integer(path, given, 1) ?? 1;
  }

  /** Of a whole, and not nothing. */
  share(path: string, given: unknown): number {
    const inside = (value: number): boolean => value > 0 && value <= 1;
    return this.#number(path, given, 'expected a share above 0, at most 1', inside);
  }

  /** Without any words, what they should have been is at fault already. */
  oneOf<Word extends string>(path: string, given: unknown, words: readonly Word[]): Word {
    const found = words.find((word) => word === given);
    if (found !== undefined || words.length === 0) return given as Word;
    const near = typeof given === 'string' ? nearest(given, words) : undefined;
    if (near) this.faults.add(path, `there is no '${String(given)}'; did you mean '${near}'?`);
    else this.faults.add(path, `expected one of ${words.join(', ')}`, given);
    return given as Word;
  }

  limits<Name extends keyof Limits>(
    path: string,
    given: unknown,
    names: readonly Name[],
  ): Partial<Pick<Limits, Name>> {
    if (given === undefined) return {};
    const read = Object.entries(this.object(path, given, names)).map(([name, limit]) => [
      name,
      name === 'p99AgainstBaseline'
        ? this.above0(`${path}.${name}`, limit)
        : this.share(`${path}.${name}`, limit),
    ]);
    return Object.fromEntries(read) as Partial<Pick<Limits, Name>>;
  }

  #number(path: string, given: unknown, rule: string, holds: (value: number) => boolean): number {
    if (typeof given === 'number' && Number.isFinite(given) && holds(given)) return given;
    this.faults.add(path, rule, given);
    return 1;
  }
}
