import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertNothingInUse } from '../assertions.ts';
import type { Served } from '../served.ts';

export type Partition = 'order' | 'batch';

/** One of the ways in which a program asks a driver. */
export interface Style {
  /** Statements that it sends, each with `name` in what a tracer shows of it. */
  readonly statements: number;
  run(partition: Partition, name: string): Promise<unknown>;
}

export interface Traced extends Pick<Served<unknown>, 'fill' | 'inUse' | 'stop'> {
  readonly styles: Readonly<Record<string, Style>>;
}

export interface Span {
  readonly id: string;
  readonly parent: string | undefined;
  /** Its name and all that it says of the statement. */
  readonly text: string;
}

export interface Tracer {
  /** Runs `work` in a span that has no parent. */
  inSpan<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Those that have ended; waits for a while until they are enough. */
  spans(enough: (spans: readonly Span[]) => boolean): Promise<readonly Span[]>;
  stop(): Promise<void>;
}

interface Request {
  readonly name: string;
  readonly statements: number;
}

const isRequest = ({ text }: Span): boolean => text.startsWith('request ');

const callers = ['anna', 'ben', 'carla', 'dan'];

/** With `order` full, callers stand in line in each style; somebody else makes room for them. */
export function playTraced(title: string, open: () => Promise<[Traced, Tracer]>): void {
  describe(title, () => {
    let traced: Traced;
    let tracer: Tracer;
    const waited: Request[] = [];
    const unrelated: Request[] = [];
    let spans: readonly Span[];

    before(async () => {
      [traced, tracer] = await open();
    });
    after(async () => {
      await traced?.stop();
      await tracer?.stop();
    });

    /** A span of its own for each caller of each style. */
    const start = (partition: Partition, requests: Request[]): Promise<unknown>[] =>
      Object.entries(traced.styles).flatMap(([style, { statements, run }]) =>
        callers.map((caller) => {
          const name = `${partition}_${style}_${caller}`;
          requests.push({ name, statements });
          return tracer.inSpan(`request ${name}`, () => run(partition, name));
        }),
      );

    test('traced queries', async () => {
      const release = await tracer.inSpan('holder', () => traced.fill());
      let answered = false;
      const waiting = Promise.all(start('order', waited)).then(() => (answered = true));
      await Promise.all(start('batch', unrelated));
      assert.ok(!answered, 'order is full');
      await tracer.inSpan('releaser', () => release());
      await waiting;
      const roots = waited.length + unrelated.length;
      spans = await tracer.spans((sent) => sent.filter(isRequest).length >= roots);
    });

    test('spans of those who waited', () => waited.forEach(assertOwnSpans));

    test('spans of the other partition', () => unrelated.forEach(assertOwnSpans));

    test('nothing in use afterwards', () => assertNothingInUse(traced));

    /** As many as there were statements, all of them below the span of the caller and no other. */
    function assertOwnSpans({ name, statements }: Request): void {
      const own = spans
        .filter(({ text }) => text.includes(name))
        .filter((span) => !isRequest(span));
      assert.equal(own.length, statements, `spans of ${name}`);
      assert.deepEqual(
        own.map((span) => rootOf(span).text.split(' ', 2).join(' ')),
        own.map(() => `request ${name}`),
      );
    }

    function rootOf(span: Span): Span {
      const parent = spans.find(({ id }) => id === span.parent);
      return parent ? rootOf(parent) : span;
    }
  });
}
