/** How an operation is made to last as long as it is told to. */
import type { mongo } from 'mongoose';

/** What is used of a connection of mongoose. */
export interface Database {
  readonly db?: mongo.Db | undefined;
  collection(name: string): {
    findOne(filter: object, options: SleepOptions): Promise<unknown>;
  };
}

export interface SleepOptions {
  readonly comment: string;
  readonly signal: AbortSignal;
}

export type Sleep = (database: Database, millis: number, options: SleepOptions) => Promise<unknown>;

/** Reads no collection. */
const pipeline = (millis: number): mongo.Document[] => [
  { $documents: [{ asked: 1 }] },
  {
    $project: {
      slept: {
        $function: { body: `function () { sleep(${millis}); return true; }`, args: [], lang: 'js' },
      },
    },
  },
];

/** By JavaScript on the server. */
const byServer: Sleep = async ({ db }, millis, options) => {
  if (db === undefined) throw new Error('the connection is not open');
  await db.aggregate(pipeline(millis), options).toArray();
};

/** By the proxy before a server that cannot sleep, which reads the comment. The collection need not exist. */
const byProxy: Sleep = (database, _, options) =>
  database.collection('watertight').findOne({}, options);

/** A comment tells the operations of a rehearsal apart, and the proxy how long to hold one. */
export const commentOf = (millis: number, id: number): string => `sleep:${millis}:${id}`;

/** The milliseconds in a comment, if it is one of ours. */
export function millisIn(comment: string): number | undefined {
  const [, millis] = /^sleep:([\d.]+):\d+$/.exec(comment) ?? [];
  return millis === undefined ? undefined : Number(millis);
}

/** Whether the server can do it: MongoDB from 5.1 on, unless its JavaScript is switched off. */
export async function canSleep(db: mongo.Db): Promise<boolean> {
  try {
    await db.aggregate(pipeline(1)).toArray();
    return true;
  } catch (error) {
    if ((error as Error).name === 'MongoServerError') return false;
    throw error;
  }
}

export async function sleepOf({ db }: Database): Promise<Sleep> {
  return db !== undefined && (await canSleep(db)) ? byServer : byProxy;
}
