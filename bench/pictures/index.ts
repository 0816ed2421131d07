import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from '../contention/rounds.ts';
import { describeMachine, type Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median } from '../statistics.ts';
import { barsPicture } from './bars.ts';
import { linesPicture, type LineOf } from './lines.ts';

const titles: Readonly<Record<string, string>> = {
  drain: 'A line is served: CPU time per waiter',
  'time out': 'A line times out: CPU time per waiter',
};

export interface Figures {
  readonly measured: readonly Measured[];
  readonly results: readonly Result[];
  readonly machine: Machine;
}

/** Writes a picture of what was measured, where there is one. */
export function drawPictures(folder: string, { measured, results, machine }: Figures): void {
  mkdirSync(folder, { recursive: true });
  for (const one of measured) {
    const title = titles[one.task.name];
    if (title === undefined) continue;
    const subtitle = `flat is good, lower is better; ✕: longer lines took too long. ${describeMachine(machine)}`;
    const picture = linesPicture({ title, subtitle, lines: linesOf(one) });
    writeFileSync(join(folder, `${one.task.name.replaceAll(' ', '-')}.svg`), picture);
  }
  const groups = groupsOf(results);
  if (groups.length === 0) return;
  const picture = barsPicture({
    title: 'select 1 through partitions: CPU time against the bare pg.Pool',
    subtitle: `less than 1 is cheaper than without walls; whiskers: quartiles. ${describeMachine(machine)}`,
    groups,
  });
  writeFileSync(join(folder, 'overhead.svg'), picture);
}

function linesOf({ series }: Measured): LineOf[] {
  return [...series].map(([name, sizes]) => {
    const points = [...sizes].flatMap(([n, rounds]) => {
      const measured = rounds.filter((nanos) => nanos !== undefined);
      return measured.length === 0 ? [] : [[n, median(measured)] as const];
    });
    return { name, points, finished: points.length === sizes.size };
  });
}

const groupNames: Readonly<Record<string, string>> = {
  'pg select 1': 'Partitions of 8, 8 and 4, all busy, against one pool of 20; unix socket',
  'pg select 1, tcp': 'The same over TCP',
  'pg select 1, one partition busy': 'One partition of 8 busy, against a pool of 8; unix socket',
};

function groupsOf(results: readonly Result[]) {
  return Object.entries(groupNames).flatMap(([key, name]) => {
    const bars = results
      .filter((result) => result.name === key)
      .map(({ n, ratio, spread }) => ({ label: `${n} callers`, ratio, spread }));
    return bars.length === 0 ? [] : [{ name, bars }];
  });
}
