import type { Sql } from './scenario.ts';
import type { RehearsalLease } from './subject.ts';

/** What a request or a report does on its connection. */
export interface Work {
  readonly holdMillis: number;
  readonly transaction?: boolean;
  readonly sql?: Sql;
}

/** So many statements keep the connection of a transaction that has no `sql` of its own busy. */
const statementsOfTransaction = 3;

/** Rejects with what the server says. The connection may then be in the middle of a transaction. */
export async function doWork(lease: RehearsalLease, work: Work): Promise<void> {
  if (work.transaction !== true) return await doStatements(lease, work, 1);
  await lease.run('begin');
  await doStatements(lease, work, statementsOfTransaction);
  await lease.run('commit');
}

async function doStatements(
  lease: RehearsalLease,
  { sql, holdMillis }: Work,
  count: number,
): Promise<void> {
  if (sql === undefined) {
    for (let i = 0; i < count; i++) await lease.hold(holdMillis / count);
  } else {
    for (const statement of [sql].flat()) await lease.run(statement);
  }
}
