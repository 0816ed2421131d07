import { expectTypeOf } from 'expect-type';
import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';
import { monthEnd, rehearse, type RehearsalResult } from '../../rehearsal/library/index.ts';

// Only compiled, by `tsc`; never run.

// A pool with names of its own goes in as it is made, at once or later.
const partitions = { order: 8, search: 8, batch: 4 };
const result = rehearse(monthEnd, {
  url: process.env['DATABASE_URL'],
  createPool: ({ url, max }) => new Pool({ connectionString: url, max, partitions }),
});
expectTypeOf(result).resolves.toEqualTypeOf<RehearsalResult>();
void rehearse(monthEnd, {
  createPool: async ({ url }) => new Pool({ connectionString: url, partitions }),
  createSharedPool: ({ url, acquireTimeoutMillis }) =>
    new pg.Pool({ connectionString: url, connectionTimeoutMillis: acquireTimeoutMillis }),
  onProgress: ({ kind }) => kind,
});
void rehearse(monthEnd, { partitions });

// @ts-expect-error: a pool without partitions
void rehearse(monthEnd, { createPool: ({ url }) => new pg.Pool({ connectionString: url }) });
// @ts-expect-error: a misspelt option
void rehearse(monthEnd, { partitions, timeScle: 0.1 });

declare const played: RehearsalResult;
expectTypeOf(played.partition('order').failed).toEqualTypeOf<number>();
expectTypeOf(played.summary).toEqualTypeOf<string>();
