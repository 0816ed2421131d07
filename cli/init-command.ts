import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findFile } from '../config/file.ts';
import { Faults } from '../src/config.ts';
import { CannotWrite } from './cannot-write.ts';
import { exitCodes } from './exit-codes.ts';
import { applyEdits } from './init/edits.ts';
import { loadParser, NoParser, type Parse } from './init/parser.ts';
import { configName, planOf, type Plan } from './init/plan.ts';
import { leftovers, nextSteps, proposal, why } from './init/report.ts';
import { encode, survey, type Survey } from './init/survey.ts';
import { replaceAll } from './init/write.ts';
import type { Arguments } from './options.ts';
import { print } from './print.ts';
import { lookOf, paint } from './text.ts';
import { Complaints, UsageError } from './usage-error.ts';

/**
 * Shows how the pools of a service can be divided, as a configuration file and a diff; `--write` does it.
 * 1 when there is none that it can divide, or a file that it cannot read.
 */
export async function initCommand({
  operands: [given = '.'],
  flags,
  faults,
}: Arguments): Promise<number> {
  const folder = resolve(given);
  const complaints = new Complaints(faults);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    complaints.commandLine.push(`there is no folder '${given}'`);
  }
  complaints.throwIfAny();
  try {
    return await divide(folder, given, await loadParser(folder), flags.has('write'));
  } catch (error) {
    if (!(error instanceof NoParser)) throw error;
    process.stderr.write(`watertight: ${error.message}\n`);
    return exitCodes.usage;
  }
}

async function divide(
  folder: string,
  given: string,
  parse: Parse,
  write: boolean,
): Promise<number> {
  const found = survey(folder, parse);
  if (found.packages.length === 0 && !existsSync(join(folder, 'package.json'))) {
    throw new UsageError(
      new Complaints([
        `there is no package.json in '${given}': init takes the folder of a service`,
      ]),
    );
  }
  const plan = planOf(found);
  const nothing = plan.divisions.length === 0;
  if (!nothing) checkUnconfigured(folder, plan);
  if (!nothing && write) await writePlan(folder, plan);
  const look = lookOf(process.stdout, process.env);
  await print(`${nothing ? '' : `${proposal(plan, look)}\n`}${leftovers(found, look)}`);
  process.stderr.write(found.faults.map((fault) => `${fault}\n`).join(''));
  if (nothing) return nothingToDo(found);
  const closing = write
    ? `Written: ${filesOf(plan).join(', ')}`
    : 'Nothing is written: --write does it.';
  await print(`${nextSteps(plan, folder, found, look)}\n${paint(look, 'bold', closing)}\n`);
  return found.faults.length > 0 ? exitCodes.notMet : exitCodes.met;
}

async function nothingToDo(found: Survey): Promise<number> {
  const done = found.files.some((file) => file.found.divided.length > 0);
  if (done && found.faults.length === 0) {
    await print('Nothing to do.\n');
    return exitCodes.met;
  }
  process.stderr.write(`watertight: ${why(found)}\n`);
  return exitCodes.notMet;
}

/** What somebody has written is not for init to change. */
function checkUnconfigured(folder: string, { divisions }: Plan): void {
  const file = findFile(folder, new Faults());
  if (file === undefined || dirname(file) !== folder) return;
  const places = divisions.map(({ place }) => `  ${place.file}:${place.line}  ${place.what}`);
  throw new CannotWrite(
    [`${file} is there already, and init does not change it; not divided are`, ...places].join(
      '\n',
    ),
  );
}

const filesOf = ({ edits }: Plan): string[] => [
  configName,
  ...[...edits.keys()].map(({ code }) => code.file),
];

async function writePlan(folder: string, { edits, config }: Plan): Promise<void> {
  await replaceAll([
    { name: configName, path: join(folder, configName), before: undefined, after: config },
    ...[...edits].map(([file, changes]) => ({
      name: file.code.file,
      path: join(folder, file.code.file),
      before: file.bytes,
      after: encode(applyEdits(file.code.text, changes), file),
    })),
  ]);
}
