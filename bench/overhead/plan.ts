import { NO_SERVER, type Transport } from '../transport.ts';

/** Two kinds that have the same number of connections at hand. */
export interface Contest {
  readonly name: string;
  readonly subject: string;
  readonly against: string;
  readonly transport: Transport;
  readonly callers: readonly number[];
  /** By number of callers: how much of the other's CPU time is allowed. */
  readonly goals: Readonly<Record<number, number>>;
}

export interface Plan {
  /** Pairs of processes: what one process happens to be like counts once. */
  readonly pairs: number;
  readonly slices: number;
  readonly warmUps: number;
  readonly queries: number;
  readonly contests: readonly Contest[];
}

const goals = { 8: 1, 20: 1, 100: 0.93, 1000: 0.93 };
const all = [8, 20, 100, 1000];
const three = { subject: 'partitions of 8, 8 and 4', against: 'pg.Pool of 20' };
const one = { subject: 'partition of 8', against: 'pg.Pool of 8' };
const unix = 'unix socket';

const contests: readonly Contest[] = [
  { name: 'pg select 1', ...three, transport: unix, callers: all, goals },
  { name: 'pg select 1, tcp', ...three, transport: 'tcp', callers: all, goals },
  {
    name: 'pg select 1, answered from memory',
    ...three,
    transport: NO_SERVER,
    callers: all,
    goals: {},
  },
  { name: 'pg select 1, one partition busy', ...one, transport: unix, callers: all, goals },
  { name: 'pg select 1, one partition busy, tcp', ...one, transport: 'tcp', callers: all, goals },
  {
    name: 'pg select 1, no partitions',
    subject: 'undivided pool of 20',
    against: 'pg.Pool of 20',
    transport: unix,
    callers: all,
    goals,
  },
  {
    name: 'pg select 1, through the pool itself',
    subject: 'default partition of 8',
    against: 'partition of 8',
    transport: NO_SERVER,
    callers: [8, 100],
    goals: { 8: 1.01, 100: 1.01 },
  },
  {
    name: 'pg select 1, in runIn',
    subject: 'runIn a partition of 8',
    against: 'partition of 8',
    transport: NO_SERVER,
    callers: [8, 100],
    goals: {},
  },
];

// Many pairs of few slices: processes differ from each other more than slices do.
export const fullPlan: Plan = { pairs: 9, slices: 4, warmUps: 3, queries: 5_000, contests };

export const quickPlan: Plan = {
  pairs: 3,
  slices: 3,
  warmUps: 2,
  queries: 5_000,
  contests: contests.slice(0, 3).map((contest) => ({
    ...contest,
    callers: contest === contests[0] ? all : [100],
  })),
};
