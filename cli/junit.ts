import { describeError } from '../rehearsal/errors.ts';
import type { ObjectiveResult, Rehearsal } from '../rehearsal/index.ts';
import { brief, busyNote, figure, verdictOf, wanted } from '../rehearsal/wording.ts';

/**
 * A rehearsal as CI dashboards read it: a suite, a test case for each objective, in the classes
 * `watertight.month-end.partitioned` and so on. Of a void rehearsal each is an error: it neither
 * passed nor failed.
 */
export function junitReport(rehearsal: Rehearsal): string {
  const { scenario, objectives } = rehearsal;
  const cases = objectives.map((objective, index) => ({
    classname: `watertight.${scenario}.${objective.run}`,
    name: objective.name,
    tookMillis: shareOfRun(rehearsal, index),
    ...outcomeOf(rehearsal, objective),
  }));
  const said = [verdictOf(rehearsal), busyNote(rehearsal)].filter((text) => text !== undefined);
  return suite(scenario, cases, said.join(' '));
}

/** A rehearsal that came to no verdict: a dashboard must not go on showing an earlier one. */
export function junitError(scenario: string, error: unknown, tookMillis: number): string {
  const [classname, name] = [`watertight.${scenario}`, 'comes to a verdict'];
  const message = describeError(error);
  const type = error instanceof Error && 'code' in error ? String(error.code) : 'error';
  const only = { classname, name, tookMillis, error: { message, type, text: message } };
  return suite(scenario, [only], message);
}

interface Fault {
  readonly message: string;
  readonly type: string;
  readonly text: string;
}

interface TestCase {
  readonly classname: string;
  readonly name: string;
  /** A whole number, so that nothing is lost in the sum. */
  readonly tookMillis: number;
  /** At most one of the two. */
  readonly failure?: Fault;
  readonly error?: Fault;
}

/**
 * The objectives of a run share its time evenly: Jenkins and GitLab sum up test cases, and so find
 * the time of the run in its class and that of the rehearsal in the suite.
 */
function shareOfRun({ runs, objectives }: Rehearsal, index: number): number {
  const run = objectives[index]?.run;
  const tookMillis = runs.find(({ name }) => name === run)?.tookMillis ?? 0;
  const ofRun = (all: readonly ObjectiveResult[]): number =>
    all.filter((objective) => objective.run === run).length;
  const until = (count: number): number => Math.round((tookMillis * count) / ofRun(objectives));
  const before = ofRun(objectives.slice(0, index));
  return until(before + 1) - until(before);
}

function outcomeOf(
  rehearsal: Rehearsal,
  objective: ObjectiveResult,
): Pick<TestCase, 'failure' | 'error'> {
  if (rehearsal.void) {
    const message = verdictOf(rehearsal);
    return { error: { message, type: 'void', text: message } };
  }
  if (objective.met) return {};
  const message = `got ${figure(objective, objective.got)}, wanted ${wanted(objective)}`;
  return { failure: { message, type: 'objective', text: brief(objective) } };
}

function suite(scenario: string, cases: readonly TestCase[], said: string): string {
  const figures = {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure).length,
    errors: cases.filter(({ error }) => error).length,
    skipped: 0,
    time: seconds(cases.reduce((sum, { tookMillis }) => sum + tookMillis, 0)),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'watertight', ...figures })}>`,
    `  <testsuite${attributes({ name: `rehearse ${scenario}`, ...figures })}>`,
    ...cases.map(testCase),
    `    <system-out>${escape(said)}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ classname, name, tookMillis, failure, error }: TestCase): string {
  const about = attributes({ classname, name, time: seconds(tookMillis) });
  const fault = failure ?? error;
  if (fault === undefined) return `    <testcase${about}/>`;
  const { text, ...told } = fault;
  const element = failure === undefined ? 'error' : 'failure';
  return [
    `    <testcase${about}>`,
    `      <${element}${attributes(told)}>${escape(text)}</${element}>`,
    '    </testcase>',
  ].join('\n');
}

const seconds = (millis: number): string => (millis / 1_000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** What XML cannot hold at all, even escaped, becomes the sign for what cannot be shown. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"'\t\n\r]/g, (sign) => entities[sign] ?? sign);
}
