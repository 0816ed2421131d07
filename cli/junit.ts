import type { ObjectiveResult, Rehearsal } from '../rehearsal/index.ts';
import { brief, busyNote, figure, verdictOf, wanted } from '../rehearsal/wording.ts';

/**
 * A rehearsal as CI dashboards read it: a suite, a test case for each objective, in the classes
 * `watertight.month-end.partitioned` and so on. The time is that of the whole suite: objectives are
 * judged together at the end.
 */
export function junitReport(rehearsal: Rehearsal, tookMillis: number): string {
  const { scenario, objectives } = rehearsal;
  const failures = objectives.filter(({ met }) => !met).length;
  const figures = {
    tests: objectives.length,
    failures,
    errors: 0,
    skipped: 0,
    time: (tookMillis / 1_000).toFixed(3),
  };
  const said = [verdictOf(rehearsal), busyNote(rehearsal)].filter((text) => text !== undefined);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'watertight', ...figures })}>`,
    `  <testsuite${attributes({ name: `rehearse ${scenario}`, ...figures })}>`,
    ...objectives.map((objective) => testCase(scenario, objective)),
    `    <system-out>${escape(said.join(' '))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(scenario: string, objective: ObjectiveResult): string {
  const { run, name, met, got } = objective;
  const about = attributes({ classname: `watertight.${scenario}.${run}`, name, time: '0.000' });
  if (met) return `    <testcase${about}/>`;
  const message = `got ${figure(objective, got)}, wanted ${wanted(objective)}`;
  return [
    `    <testcase${about}>`,
    `      <failure${attributes({ message, type: 'objective' })}>${escape(brief(objective))}</failure>`,
    '    </testcase>',
  ].join('\n');
}

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
