import { describe, expect, test } from '@jest/globals';
import { page } from '../../../cli/html/page.ts';
import type { Report } from '../../../cli/html/report.ts';
import type { PartitionTimeline, RunResult } from '../../../rehearsal/index.ts';
import { monthEnd } from '../../../scenarios/month-end.ts';
import { harmless, voided } from '../../rehearsal/rehearsals.ts';
import { fakeReport, withRun } from './fake-report.ts';

const report = fakeReport();
const html = page(report);

/** What is to be read, without the style. */
const textOf = (document: string): string =>
  document
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const headerOf = (shown: Report): string => textOf(page(shown)).split('What was played')[0] ?? '';

/** Names of elements that were opened and not closed, or closed in another order. */
function unbalanced(document: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, closing, name = '', attributes = ''] of document.matchAll(
    /<(\/?)([a-z][\w-]*)([^>]*)>/gi,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) faults.push(name);
    } else if (!attributes.endsWith('/') && name !== 'meta') {
      open.push(name);
    }
  }
  return [...faults, ...open];
}

describe('the page', () => {
  test('is one whole HTML document', () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<title>Rehearsal of month-end: every objective met</title>');
    expect(html).toContain('name="viewport" content="width=device-width, initial-scale=1"');
    expect(unbalanced(html.replace('<!doctype html>', ''))).toEqual([]);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/(?:labelledby="|url\(#)([\w-]+)/g)) {
      expect(ids).toContain(id);
    }
  });

  test('has no script and fetches nothing', () => {
    expect(html).not.toMatch(/<script|<link|<iframe|<img|\son\w+=|javascript:/i);
    expect(html).not.toMatch(/\/\/|\bsrc=|\bhref=|@import|url\((?!#)/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('tells the verdict, the story, the runs, the figures, the objectives and the method, in this order', () => {
    const headings = [...html.matchAll(/<h([1-6])[^>]*>([^]*?)<\/h\1>/g)].map(
      ([, level, text = '']) => `${level} ${textOf(text).trim().slice(0, 40)}`,
    );
    expect(headings).toEqual([
      '1 ✓ The walls hold: the reports could not ',
      '2 What was played',
      '2 The three runs',
      '3 One shared pool',
      '3 Partitions, without the reports',
      '3 Partitions, with the reports',
      '2 What became of the requests',
      '2 What had to come out',
      '2 How it was measured',
    ]);
  });

  test('says beside the verdict what walls are, where it speaks of them', () => {
    const explained = 'Walls are what divides one pool of connections into partitions';
    expect(headerOf(report)).toContain(explained);
    expect(headerOf({ ...report, rehearsal: harmless })).not.toContain(explained);
  });

  test('says beside the verdict that the machine was busy', () => {
    const busy = withRun(report, 'shared', { keptSchedule: false });
    expect(headerOf(busy)).toContain(
      'Take these figures with care: the machine was busy, and requests were sent late (p99: shared 1.7 ms).',
    );
    expect(textOf(page(busy)).match(/with care/g)).toHaveLength(1);
    expect(html).not.toContain('with care');
  });

  test('has every figure of the table, in the time of the story', () => {
    const text = textOf(html);
    for (const row of [
      'order 6.5 % 6,400 421 5,489 0 487 3 40.5 s 60.1 s 60.2 s 60.3 s',
      'batch – 371 360 0 11 0 0 5.0 s 5.0 s 5.0 s 5.1 s',
      'search 100 % 6,400 6,400 0 0 0 0 160 ms 169 ms 178 ms 211 ms',
      'batch – 371 96 0 275 0 0 5.0 s 5.0 s 5.0 s 5.1 s',
    ]) {
      expect(text).toContain(row);
    }
    expect(text).toContain('the server closed the connection');
  });

  test('has every objective with what was got and wanted, in words', () => {
    const text = textOf(html);
    expect(text).toContain(
      '✓ met Order answered in time 100 % at least 99.9 % partitions, with the reports',
    );
    expect(text.match(/✓ met/g)).toHaveLength(report.rehearsal.objectives.length);
    const objectives = report.rehearsal.objectives.map((each) => ({ ...each, met: false }));
    const missed = page({ ...report, rehearsal: { ...report.rehearsal, objectives, met: false } });
    expect(missed.match(/✗ missed/g)).toHaveLength(objectives.length);
  });

  test('says how it was measured', () => {
    const text = textOf(html);
    for (const words of [
      'Server PostgreSQL 18.4',
      'Driver pg',
      'Connections 20',
      '1 s of the story is 100 ms here',
      '2026-03-31 17:05 UTC',
      'watertight 1.2.3',
      'One shared pool 0.5 1.2 1.7 10.0 15.0 3.4 ✓ yes once at most 20 of 20',
      'Every run opened all its connections before the first request.',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('of a void rehearsal says so in place of every verdict', () => {
    const text = textOf(page({ ...report, rehearsal: voided(report.rehearsal) }));
    expect(text).toContain('Rehearsal of month-end: void, nothing is proven');
    expect(text).toMatch(/\? Void: nothing is proven, neither that the walls hold/);
    expect(text.match(/\? void/g)).toHaveLength(report.rehearsal.objectives.length);
    expect(text).toContain(
      'Partitions, without the reports 2.0 18.0 31.2 2.5 15.0 60.0 ✗ no: void 3 times',
    );
    expect(text).not.toMatch(/✓ met|✗ missed|objectives met|with care/);
  });

  test('says how the connections are divided, and nothing of walls that are not there', () => {
    const walls = 'Who finds the share of a partition taken is told so';
    expect(textOf(html)).toContain('The same 20 connections, divided: order 8, search 8, batch 4.');
    expect(html).toContain(walls);
    const open = Object.fromEntries(
      Object.keys(report.partitions).map((name) => [name, { size: 0, max: 20 }]),
    );
    const written = page({ ...report, partitions: open });
    expect(written).toContain('divided: order 0 to 20, search 0 to 20, batch 0 to 20.');
    expect(written).not.toContain(walls);
    expect(written).toContain('All are reserved for nobody: a partition that may have more takes');
  });

  test('says what becomes of connections that no partition has', () => {
    const divided = (order: { size: number; max?: number }): string =>
      page({ ...report, partitions: { ...report.partitions, order } });
    expect(html).not.toMatch(/The other|reserved for nobody/);
    expect(divided({ size: 5 })).toContain('The other 3 belong to no partition, and stay closed.');
    expect(divided({ size: 5, max: 6 })).toContain(
      'The other 3 are reserved for nobody: a partition that may have more takes them while they are free.',
    );
  });

  test('takes no text from outside for HTML', () => {
    const names = ['<i>order</i>', `"search' onload=x`, '&batch;'];
    const renamed = (name: string): string =>
      names[['order', 'search', 'batch'].indexOf(name)] ?? '';
    const scenario = {
      ...monthEnd,
      phases: monthEnd.phases.map((phase) => ({
        ...phase,
        name: `<b>${phase.name}`,
        partitions: phase.partitions.map(renamed),
      })),
      workloads: monthEnd.workloads.map((workload) => ({
        ...workload,
        partition: renamed(workload.partition),
      })),
    };
    const hostile = fakeReport(scenario, '</p><script>alert(1)</script>');
    const shared = hostile.rehearsal.runs[0] as RunResult;
    const partitions = Object.fromEntries(
      Object.entries(shared.partitions).map(([name, result]) => [
        name,
        { ...result, firstFailure: '</q><img src=x>' },
      ]),
    );
    const written = page(withRun(hostile, 'shared', { partitions }));
    expect(written).not.toMatch(/<script|<img|<i>|<b>|"search|&batch;/);
    expect(written).toContain('&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(written).toContain('&quot;search&#39; onload=x');
    expect(written).toContain('&amp;batch;');
    expect(unbalanced(written.replace('<!doctype html>', ''))).toEqual([]);
  });
});

describe('a collapse', () => {
  test('is explained and marked in each picture of its run', () => {
    expect(textOf(html)).toContain(
      'From 0:10 on, fewer than half of the order and search requests are answered within 1 s, and it ' +
        'stays so to the end. At that time batch holds 15 of the 20 connections.',
    );
    expect(html.match(/>collapse at 0:10</g)).toHaveLength(1);
    const marked = html.split('<figure>').map((figure) => figure.match(/class="mark"/g)?.length);
    expect(marked.slice(1, 4)).toEqual([1, 1, 1]);
    expect(new Set(marked.slice(4))).toEqual(new Set([undefined]));
  });

  test('that ended is said to have ended', () => {
    const { timeline } = report.rehearsal.runs[0] as RunResult;
    const recovers = (partition: PartitionTimeline): PartitionTimeline => ({
      ...partition,
      servedInTime: partition.servedInTime.map((value, moment) => (moment < 163 ? value : 99)),
    });
    const partitions = Object.fromEntries(
      Object.entries(timeline.partitions).map(([name, each]) => [name, recovers(each)]),
    );
    const recovered = page(withRun(report, 'shared', { timeline: { ...timeline, partitions } }));
    expect(textOf(recovered)).toContain(
      'From 0:10 on, fewer than half of the order and search requests are answered within 1 s, until 2:10.',
    );
  });

  test('that did not happen is said not to have happened', () => {
    const none =
      'No collapse: there are no 5 s on end in which fewer than half of the order and search requests are answered within 1 s.';
    expect(textOf(html).split(none)).toHaveLength(3);
    const calm = report.rehearsal.runs[1] as RunResult;
    const peaceful = page(withRun(report, 'shared', { timeline: calm.timeline }));
    expect(textOf(peaceful).split(none)).toHaveLength(4);
    expect(peaceful).not.toContain('collapse at');
  });
});

describe('the pictures', () => {
  test('of the three runs have the same axes', () => {
    const ticks = (id: string): string[] => {
      const [, picture = ''] = html.split(`<title id="${id}">`);
      return [...(picture.split('</svg>')[0]?.matchAll(/class="tick"[^>]*>[^<]*/g) ?? [])].map(
        String,
      );
    };
    for (const kind of ['held', 'in-line', 'sent-away']) {
      expect(ticks(`${kind}-shared`).length).toBeGreaterThan(4);
      expect(ticks(`${kind}-baseline`)).toEqual(ticks(`${kind}-shared`));
      expect(ticks(`${kind}-partitioned`)).toEqual(ticks(`${kind}-shared`));
    }
  });

  test('that are too low to be read are shown once more on a scale of their own, which is named', () => {
    const closeUps = (shown: Report): string[] =>
      Array.from(
        page(shown).matchAll(/<p class="close-up">(.*?)<\/p>\s<svg [^]*?<title id="(.*?)">/g),
        ([, words = '', id = '']) => `${id}: ${words}`,
      );
    const refusals =
      'close-up-sent-away-partitioned: Close-up: only up to 3, where the picture above ends at 23';
    expect(closeUps(report)).toEqual([refusals]);
    const { timeline } = report.rehearsal.runs[1] as RunResult;
    const inLine = (waiting: number): Report => {
      const order = timeline.partitions['order'] as PartitionTimeline;
      const line = { ...order, waiting: order.waiting.map((_, k) => (k === 100 ? waiting : 0)) };
      const partitions = { ...timeline.partitions, order: line };
      return withRun(report, 'baseline', { timeline: { ...timeline, partitions } });
    };
    expect(closeUps(inLine(12))).toEqual([
      'close-up-in-line-baseline: Close-up: only up to 12, where the picture above ends at 4,420',
      refusals,
    ]);
    expect(closeUps(inLine(1_200))).toEqual([refusals]);
  });

  test('say what they show to those who do not see them', () => {
    expect(html).toContain(
      'Connections held over time, one shared pool: at most batch 15, order 10 and search 10, of 20 in all</title>',
    );
    // Three of each run, and a close-up.
    expect(html.match(/<svg class="chart" role="img" aria-labelledby="/g)).toHaveLength(10);
    expect(html.match(/<summary>These pictures in figures/g)).toHaveLength(3);
  });

  test('are followed by figures: gauges at the moment, counts since the row before', () => {
    // 0.8 s a moment, ten a row: from 0:48 to 0:56 ten times 13 late and 9 timed out.
    expect(textOf(html)).toContain(
      '0:56 month end 20 2 2,210 0 130 90 2 2,210 0 130 90 15 0 10 0 0',
    );
  });

  test('can be drawn of a run in which nothing was held at all', () => {
    const nothing = (timeline: PartitionTimeline): PartitionTimeline => ({
      ...timeline,
      inUse: timeline.failed,
    });
    const { timeline } = report.rehearsal.runs[1] as RunResult;
    const partitions = Object.fromEntries(
      Object.entries(timeline.partitions).map(([name, each]) => [name, nothing(each)]),
    );
    const idle = page(withRun(report, 'baseline', { timeline: { ...timeline, partitions } }));
    expect(idle).not.toMatch(/NaN|Infinity|undefined/);
  });
});
