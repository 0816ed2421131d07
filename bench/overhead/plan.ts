import { NO_SERVER, type Transport } from '../transport.ts';

/** Two kinds that have the same number of connections at hand. */
export interface Contest {
  readonly name: string;
  readonly subject: string;
  readonly against: string;
  readonly transport: Transport;
  readonly callers: readonly number[];
  /** In each slice, where those of the plan take too long. */
  readonly queries?: number;
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

const mysql2 = { subject: 'mysql2 partitions of 8, 8 and 4', against: 'mysql2.Pool of 20' };
const mysql2Promise = {
  subject: 'mysql2/promise partitions of 8, 8 and 4',
  against: 'mysql2/promise pool of 20',
};
const mysql2Callers = { callers: [8, 100], goals: { 8: 1.03, 100: 1.03 } };
const mongoose = {
  against: 'mongoose connection of 8',
  transport: 'MongoDB',
  callers: [8, 100],
  queries: 1000,
  goals: { 8: 1.05, 100: 1.05 },
} as const;

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
  { name: 'mysql2 select 1, callback', ...mysql2, transport: 'MySQL', ...mysql2Callers },
  { name: 'mysql2 select 1, promise', ...mysql2Promise, transport: 'MySQL', ...mysql2Callers },
  {
    name: 'mysql2 select 1, callback, answered from memory',
    ...mysql2,
    transport: NO_SERVER,
    ...mysql2Callers,
  },
  {
    name: 'mysql2 select 1, promise, answered from memory',
    ...mysql2Promise,
    transport: NO_SERVER,
    ...mysql2Callers,
  },
  {
    name: 'mongoose findOne, default partition',
    subject: 'mongoose default partition of 8',
    ...mongoose,
  },
  { name: 'mongoose findOne, through a handle', subject: 'mongoose handle of 8', ...mongoose },
];

const quick: readonly string[] = [
  ...['pg select 1', 'pg select 1, tcp', 'pg select 1, answered from memory'],
  ...['mysql2 select 1, promise', 'mongoose findOne, through a handle'],
];

// Many pairs of few slices: processes differ from each other more than slices do.
export const fullPlan: Plan = { pairs: 9, slices: 4, warmUps: 3, queries: 5_000, contests };

export const quickPlan: Plan = {
  pairs: 3,
  slices: 3,
  warmUps: 2,
  queries: 5_000,
  contests: contests
    .filter(({ name }) => quick.includes(name))
    .map((contest) => ({ ...contest, callers: contest === contests[0] ? all : [100] })),
};
