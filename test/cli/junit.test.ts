import { describe, expect, test } from '@jest/globals';
import { junitReport } from '../../cli/junit.ts';
import { broken, holding } from '../rehearsal/rehearsals.ts';

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
    const report = parse(junitReport(broken, 54_321.6));
    expect(named(report, 'testsuite')).toEqual([
      {
        name: 'rehearse month-end',
        tests: '12',
        failures: '3',
        errors: '0',
        skipped: '0',
        time: '54.322',
      },
    ]);
    const cases = named(report, 'testcase');
    expect(cases).toHaveLength(12);
    expect(cases).toContainEqual({
      classname: 'watertight.month-end.partitioned',
      name: 'order answered in time',
      time: '0.000',
    });
  });

  test('says what was got and what was wanted where an objective was missed', () => {
    const report = parse(junitReport(broken, 1));
    expect(named(report, 'failure')[0]).toEqual({
      message: 'got 26.4 %, wanted at least 99.9 %',
      type: 'objective',
    });
    expect(report.text).toContain('The walls do not hold: order answered in time 26.4 %');
    expect(named(parse(junitReport(holding, 1)), 'failure')).toEqual([]);
  });

  test('is well-formed whatever the names are', () => {
    const name = `<a href="x">'&amp;'</a>\n]]> \u0000\u001B\uD800 ✓ 😀`;
    const objectives = broken.objectives.map((objective) => ({ ...objective, name }));
    const report = parse(junitReport({ ...broken, scenario: name, objectives }, 1));
    const kept = `<a href="x">'&amp;'</a>\n]]> \uFFFD\uFFFD\uFFFD ✓ 😀`;
    expect(named(report, 'testcase')[0]?.['name']).toBe(kept);
    expect(report.text).toContain(kept);
  });
});
