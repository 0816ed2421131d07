import { describe, expect, test } from '@jest/globals';
import { junitError, junitReport } from '../../cli/junit.ts';
import { RehearsalError } from '../../rehearsal/errors.ts';
import { broken, holding, voided } from '../rehearsal/rehearsals.ts';

interface Tag {
  readonly name: string;
  readonly attributes: Record<string, string>;
}

interface Parser {
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'opentag', listener: (tag: Tag) => void): void;
  on(event: 'text', listener: (text: string) => void): void;
  write(text: string): this;
  close(): void;
}

// Required, since its own types do not compile as strictly as these.
const { SaxesParser } = require('saxes') as { SaxesParser: new () => Parser };

interface Parsed {
  readonly tags: readonly Tag[];
  readonly text: string;
}

/** Throws at the first thing that is not well-formed. */
function parse(xml: string): Parsed {
  const tags: Tag[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => tags.push(tag));
  parser.on('text', (part) => (text += part));
  parser.write(xml).close();
  return { tags, text };
}

const named = ({ tags }: Parsed, name: string): Record<string, string>[] =>
  tags.flatMap((tag) => (tag.name === name ? [tag.attributes] : []));

describe('the JUnit report', () => {
  test('is one suite with a test case for each objective', () => {
    const report = parse(junitReport(broken));
    expect(named(report, 'testsuite')).toEqual([
      {
        name: 'rehearse month-end',
        tests: '12',
        failures: '3',
        errors: '0',
        skipped: '0',
        time: '49.500',
      },
    ]);
    const cases = named(report, 'testcase');
    expect(cases).toHaveLength(12);
    expect(cases).toContainEqual({
      classname: 'watertight.month-end.partitioned',
      name: 'order answered in time',
      time: '2.063',
    });
  });

  test('says what was got and what was wanted where an objective was missed', () => {
    const report = parse(junitReport(broken));
    expect(named(report, 'failure')[0]).toEqual({
      message: 'got 26.4 %, wanted at least 99.9 %',
      type: 'objective',
    });
    expect(report.text).toContain('The walls do not hold: order answered in time 26.4 %');
    expect(named(parse(junitReport(holding)), 'failure')).toEqual([]);
  });

  test('adds up: the cases of a run to its time, those of all runs to that of the suite', () => {
    const took = [16_543.21, 17_001.5, 49_999.99];
    const runs = broken.runs.map((run, index) => ({ ...run, tookMillis: took[index] ?? 0 }));
    const report = parse(junitReport({ ...broken, runs }));
    const millis = ({ time = '' }: Record<string, string>): number => Number(time.replace('.', ''));
    const sum = (run: string): number =>
      named(report, 'testcase')
        .filter(({ classname = '' }) => classname.endsWith(run))
        .reduce((all, each) => all + millis(each), 0);
    expect(runs.map(({ name }) => sum(name))).toEqual([16_543, 17_002, 50_000]);
    expect(named(report, 'testsuite').map(millis)).toEqual([sum('')]);
  });

  test('of a void rehearsal has errors, and neither success nor failure', () => {
    const report = parse(junitReport(voided(broken)));
    const [figures] = named(report, 'testsuite');
    expect(figures).toMatchObject({ tests: '12', failures: '0', errors: '12' });
    expect(named(report, 'failure')).toEqual([]);
    expect(named(report, 'error')).toHaveLength(12);
    expect(named(report, 'error')[0]).toEqual({
      message: expect.stringMatching(/^Void: nothing is proven.*baseline at best 31.24 ms late/),
      type: 'void',
    });
  });

  test('without a verdict is one error, with what was told', () => {
    const error = new RehearsalError('ERR_CONNECTION_LOST', 'lost <in> the middle');
    const report = parse(junitError('month-end', error, 1_234));
    expect(named(report, 'testsuite')[0]).toMatchObject({
      tests: '1',
      failures: '0',
      errors: '1',
      time: '1.234',
    });
    expect(named(report, 'testcase')).toEqual([
      { classname: 'watertight.month-end', name: 'comes to a verdict', time: '1.234' },
    ]);
    expect(named(report, 'error')).toEqual([
      { message: 'lost <in> the middle', type: 'ERR_CONNECTION_LOST' },
    ]);
  });

  test('is well-formed whatever the names are', () => {
    const name = `<a href="x">'&amp;'</a>\n]]> \u0000\u001B\uD800 ✓ 😀`;
    const objectives = broken.objectives.map((objective) => ({ ...objective, name }));
    const report = parse(junitReport({ ...broken, scenario: name, objectives }));
    const kept = `<a href="x">'&amp;'</a>\n]]> \uFFFD\uFFFD\uFFFD ✓ 😀`;
    expect(named(report, 'testcase')[0]?.['name']).toBe(kept);
    expect(report.text).toContain(kept);
  });
});
