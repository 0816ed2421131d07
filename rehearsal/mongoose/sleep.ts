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

/** What the comment of an operation tells the proxy. */
export interface Comment {
  readonly millis: number;
  /** Tells the operations of a run apart. */
  readonly id: number;
  readonly label: string;
}

export const printComment = ({ millis, id, label }: Comment): string =>
  `sleep:${millis}:${id}:${label}`;

/** Undefined for a comment that is none of ours. */
export function parseComment(text: string): Comment | undefined {
  const [, millis, id, label] = /^sleep:([\d.]+):(\d+):(.*)$/.exec(text) ?? [];
  return label === undefined ? undefined : { millis: Number(millis), id: Number(id), label };
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
