import { isPlainObject } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import type { Fields, Given } from './fields.ts';
import type { ArrivalWorkload, Leak, Retry, Sql, WorkerWorkload, Workload } from './scenario.ts';

const common = ['kind', 'partition', 'holdMillis', 'sql', 'limits'];
const ofArrivals = [
  ...common,
  'ratePerSecond',
  'answerWithinMillis',
  'pattern',
  'retry',
  'disturbs',
];
const ofWorkers = [...common, 'workers', 'comeBackMillis', 'leak', 'transaction'];
const ofBoth = [...new Set([...ofArrivals, ...ofWorkers])];

type Kind = Workload['kind'];
const membersOf: Readonly<Record<Kind, readonly string[]>> = {
  arrivals: ofArrivals,
  workers: ofWorkers,
};
const kinds = Object.keys(membersOf) as Kind[];

/** @param names the partitions there are */
export function readWorkload(
  given: unknown,
  path: string,
  names: readonly string[],
  fields: Fields,
): Workload {
  if (!isPlainObject(given)) {
    fields.object(path, given, ofBoth);
    return unreadable;
  }
  fields.oneOf(`${path}.kind`, given['kind'], kinds);
  const kind = meantKind(given);
  const one = fields.object(path, given, kind === undefined ? ofBoth : membersOf[kind]);
  const partition = readPartition(one, path, names, fields);
  if (kind === 'arrivals') return readArrivals(one, path, partition, fields);
  if (kind === 'workers') return readWorkers(one, path, partition, fields);
  readCommon(one, path, fields);
  return { ...unreadable, partition };
}

/** Something harmless, of no partition. */
const unreadable: WorkerWorkload = {
  kind: 'workers',
  partition: '',
  workers: 1,
  holdMillis: 1,
  comeBackMillis: 1,
};

/** A wrong kind is a fault; for the others of the workload it is what its name or its members are most like. */
function meantKind(given: Given): Kind | undefined {
  const { kind } = given;
  const called = typeof kind === 'string' ? nearest(kind, kinds) : undefined;
  if (called !== undefined) return called as Kind;
  const likely = kinds.filter((each) =>
    membersOf[each].some((member) => !common.includes(member) && member in given),
  );
  return likely.length === 1 ? likely[0] : undefined;
}

/** What is a fault in either kind. */
function readCommon(one: Given, path: string, fields: Fields): void {
  fields.above0(`${path}.holdMillis`, one['holdMillis']);
  readSql(one, path, fields);
}

const readPartition = (
  one: Given,
  path: string,
  names: readonly string[],
  fields: Fields,
): string => fields.oneOf(`${path}.partition`, one['partition'], names);

function readArrivals(
  one: Given,
  path: string,
  partition: string,
  fields: Fields,
): ArrivalWorkload {
  const { pattern, retry, disturbs, limits } = one;
  return {
    kind: 'arrivals',
    partition,
    ratePerSecond: fields.above0(`${path}.ratePerSecond`, one['ratePerSecond']),
    holdMillis: fields.above0(`${path}.holdMillis`, one['holdMillis']),
    answerWithinMillis: fields.above0(`${path}.answerWithinMillis`, one['answerWithinMillis']),
    ...(pattern !== undefined && {
      pattern: fields.oneOf(`${path}.pattern`, pattern, ['steady', 'poisson']),
    }),
    ...(retry !== undefined && { retry: readRetry(retry, `${path}.retry`, fields) }),
    ...(disturbs !== undefined && { disturbs: fields.flag(`${path}.disturbs`, disturbs) }),
    ...readSql(one, path, fields),
    ...(limits !== undefined && {
      limits: fields.limits(`${path}.limits`, limits, [
        'answeredInTime',
        'p99AgainstBaseline',
        'starvedBelow',
      ]),
    }),
  };
}

function readWorkers(one: Given, path: string, partition: string, fields: Fields): WorkerWorkload {
  const { leak, transaction, limits } = one;
  return {
    kind: 'workers',
    partition,
    workers: fields.count(`${path}.workers`, one['workers']),
    holdMillis: fields.above0(`${path}.holdMillis`, one['holdMillis']),
    comeBackMillis: fields.above0(`${path}.comeBackMillis`, one['comeBackMillis']),
    ...(leak !== undefined && { leak: readLeak(leak, `${path}.leak`, fields) }),
    ...(transaction !== undefined && {
      transaction: fields.flag(`${path}.transaction`, transaction),
    }),
    ...readSql(one, path, fields),
    ...(limits !== undefined && {
      limits: fields.limits(`${path}.limits`, limits, ['guaranteedReports']),
    }),
  };
}

function readRetry(given: unknown, path: string, fields: Fields): Retry {
  const retry = fields.object(path, given, ['afterMillis', 'times']);
  return {
    afterMillis: fields.from0(`${path}.afterMillis`, retry['afterMillis']),
    times: fields.count(`${path}.times`, retry['times']),
  };
}

function readLeak(given: unknown, path: string, fields: Fields): Leak {
  const { share, afterReports } = fields.object(path, given, ['share', 'afterReports']);
  if (share === undefined && afterReports !== undefined) {
    return { afterReports: fields.count(`${path}.afterReports`, afterReports) };
  }
  if (afterReports === undefined && share !== undefined) {
    return { share: fields.share(`${path}.share`, share) };
  }
  if (isPlainObject(given)) fields.faults.add(path, 'expected either a share or afterReports');
  return { afterReports: 1 };
}

function readSql({ sql }: Given, path: string, fields: Fields): { sql?: Sql } {
  if (sql === undefined) return {};
  if (typeof sql === 'string') return { sql: fields.text(`${path}.sql`, sql) };
  const statements = fields.list(`${path}.sql`, sql);
  return { sql: statements.map((one, index) => fields.text(`${path}.sql.${index}`, one)) };
}
