import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { readScenarioFile } from '../../rehearsal/scenario-file.ts';
import type { Scenario } from '../../rehearsal/scenario.ts';
import { folder } from '../config/folder.ts';

/** What is read from this text, and what is said of it, without the folder. */
export function read(text: string): { scenario: Scenario | undefined; said: string[] } {
  using made = folder({ 'mine.json': text });
  const { scenario, faults, warnings } = readScenarioFile(`${made.path}/mine.json`);
  return {
    scenario,
    said: [...faults, ...warnings].map((line) => line.replace(`${made.path}/`, '')),
  };
}

export const api: object = {
  kind: 'arrivals',
  partition: 'api',
  ratePerSecond: 10,
  holdMillis: 100,
  answerWithinMillis: 500,
};
export const etl: object = {
  kind: 'workers',
  partition: 'etl',
  workers: 4,
  holdMillis: 900,
  comeBackMillis: 100,
};
const phase = { name: 'all', durationMillis: 1_000, partitions: ['api', 'etl'] };
export const least: object = {
  name: 'mine',
  description: 'What it teaches.',
  max: 4,
  partitions: { api: 3, etl: 1 },
  phases: [phase],
  workloads: [api, etl],
};

export const withApi = (changes: object): object => ({
  ...least,
  workloads: [{ ...api, ...changes }, etl],
});
export const withEtl = (changes: object): object => ({
  ...least,
  workloads: [api, { ...etl, ...changes }],
});
export const withPhase = (changes: object): object => ({
  ...least,
  phases: [{ ...phase, ...changes }],
});

const schema = JSON.parse(readFileSync('schema/watertight.scenario.schema.json', 'utf8')) as object;
export const accepts: ValidateFunction = new Ajv({ strict: false }).compile(schema);
