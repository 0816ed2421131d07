import assert from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import { rehearsalMatchers, type RehearsalMatchers } from '../../rehearsal/library/matchers.ts';
import { resultOf } from '../../rehearsal/library/result.ts';
import { broken, holding, voided } from './rehearsals.ts';

declare module 'expect' {
  interface Matchers<R> extends RehearsalMatchers<R> {}
}

expect.extend(rehearsalMatchers);

describe('a result', () => {
  test('says in one sentence which partition missed what, got and wanted', () => {
    expect(resultOf(broken).summary).toBe(
      'The walls do not hold: order answered in time 26.4 %, wanted at least 99.9 %; ' +
        'order refused, timed out or failed 200, wanted at most 0; ' +
        'order p99 against baseline 6.67x, wanted at most 1.20x; ' +
        'order is not protected from the reports.',
    );
    expect(resultOf(holding).summary).toMatch(/^The walls hold: the reports could not take/);
  });

  test('that was missed on a busy machine says so', () => {
    const runs = broken.runs.map((run) => ({ ...run, keptSchedule: run.name !== 'baseline' }));
    expect(resultOf({ ...broken, runs }).summary).toMatch(
      /from the reports\. Take these figures with care: the machine was busy.*\(p99: baseline 1\.7 ms\)\.$/,
    );
  });

  test('of a machine that was too busy is void: how late, the bound, what to do, and no verdict', () => {
    const sentence =
      'Void: nothing is proven, neither that the walls hold nor that they do not, as the machine was ' +
      'too busy to send the requests in time (baseline at best 31.24 ms late at p99, void above ' +
      '15 ms); rehearse on a quieter machine, or with a larger time scale.';
    for (const rehearsal of [voided(holding), voided(broken)]) {
      expect(resultOf(rehearsal)).toMatchObject({ void: true, met: false, summary: sentence });
      expect(resultOf(rehearsal).partition('search')).toMatchObject({
        void: true,
        met: false,
        summary: sentence,
      });
    }
    expect(resultOf({ ...voided(holding), timeScale: 1 }).summary).toMatch(/quieter machine\.$/);
    expect(resultOf(voided(voided(holding), 'shared')).summary).toContain(
      '(shared at best 31.24 ms late at p99, void above 15 ms; baseline at best 31.24 ms',
    );
  });

  test('is the document of the command, plain fields and all', () => {
    const { summary, ...document } = JSON.parse(JSON.stringify(resultOf(broken)));
    expect(summary).toContain('do not hold');
    expect(document).toEqual(JSON.parse(JSON.stringify(broken)));
  });

  test('has the figures and the objectives of each partition in the run with partitions', () => {
    const order = resultOf(broken).partition('order');
    expect(order).toMatchObject({ name: 'order', offered: 1_000, timedOut: 200, met: false });
    expect(order.objectives.map(({ run, name }) => `${run}: ${name}`)).toEqual([
      'partitioned: order answered in time',
      'partitioned: order refused, timed out or failed',
      'partitioned: order p99 against baseline',
    ]);
    expect(order.summary).toMatch(/^The walls of order do not hold: order answered in time 26.4 %/);
    expect(resultOf(broken).partition('batch')).toMatchObject({
      met: true,
      summary: 'The walls of batch hold: batch reports served 96, wanted at least 87.',
    });
  });

  test('names its partitions to whoever asks for another', () => {
    expect(() => resultOf(holding).partition('ordr')).toThrow(
      "unknown partition 'ordr'; the rehearsal has order, search, batch",
    );
  });
});

describe('the matcher', () => {
  test('is content with what is met', () => {
    expect(resultOf(holding)).toMeetObjectives();
    expect(resultOf(broken).partition('search')).toMeetObjectives();
    expect(resultOf(broken).partition('order')).not.toMeetObjectives();
  });

  test('fails with the summary', () => {
    const { summary } = resultOf(broken);
    assert.throws(() => expect(resultOf(broken)).toMeetObjectives(), { message: summary });
    assert.throws(() => expect(resultOf(holding).partition('order')).not.toMeetObjectives(), {
      message: resultOf(holding).partition('order').summary,
    });
  });

  test.each([holding, broken])('fails with a void rehearsal, and so does its not', (rehearsal) => {
    const result = resultOf(voided(rehearsal));
    for (const judged of [result, result.partition('order'), result.partition('search')]) {
      const { summary: message } = judged;
      assert.throws(() => expect(judged).toMeetObjectives(), { message });
      assert.throws(() => expect(judged).not.toMeetObjectives(), { message });
    }
  });

  test('says what it is for when it gets something else', () => {
    expect(() => expect(Promise.resolve(resultOf(holding))).toMeetObjectives()).toThrow(
      /expected the result of rehearse\(\)/,
    );
  });
});
