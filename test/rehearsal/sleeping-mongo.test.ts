import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Long, type Document } from 'bson';
import { openShared } from '../../rehearsal/mongoose/subjects.ts';
import { openWitness } from '../../rehearsal/mongoose/witness.ts';
import type { Subject } from '../../rehearsal/subject.ts';
import { hello, isHello } from '../support/mongo-server/hello.ts';
import { until } from '../support/pg.ts';
import { messages, reply, type Message } from '../support/mongo-server/wire.ts';

/** As much of a MongoDB as sleeps by its JavaScript and says who is connected. */
class SleepingMongo {
  readonly slept: number[] = [];
  readonly #sockets = new Map<number, Socket>();
  readonly #server: Server = createServer((socket) => this.#accept(socket));
  #accepted = 100;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `mongodb://${this.#address}/shop`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #accept(socket: Socket): void {
    const id = this.#accepted++;
    this.#sockets.set(id, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(id));
    const read = async (message: Message): Promise<void> => {
      const document = await this.#answer(id, message.command);
      if (!socket.destroyed) socket.write(reply(message, { ok: 1, ...document }));
    };
    socket.on(
      'data',
      messages((message) => void read(message)),
    );
  }

  async #answer(id: number, command: Document): Promise<Document> {
    const [name = ''] = Object.keys(command);
    if (isHello(name)) return { ...hello('standalone', this.#address), connectionId: id };
    if (name === 'buildInfo') return { version: '8.0.1' };
    if (name === 'serverStatus') return { connections: { current: 7, available: 93 } };
    if (name !== 'aggregate') return {};
    const cursor = (documents: Document[]): Document => ({
      cursor: { id: Long.ZERO, ns: 'shop.$cmd.aggregate', firstBatch: documents },
    });
    const [first, second] = command['pipeline'] as Document[];
    if (first && '$currentOp' in first) {
      const wanted = second?.['$match'].connectionId.$in as number[];
      return cursor([{ connections: wanted.filter((one) => this.#sockets.has(one)).length }]);
    }
    const [, millis] = /sleep\(([\d.]+)\)/.exec(second?.['$project'].slept.$function.body) ?? [];
    this.slept.push(Number(millis));
    await delay(Number(millis));
    return cursor([{ slept: true }]);
  }
}

let mongo: SleepingMongo;
let url: string;
const closing: (() => Promise<void>)[] = [];

const shared = (max: number): Subject => {
  const subject = openShared({ url, label: 'run 1', max, acquireTimeoutMillis: 10_000 });
  closing.push(() => subject.close());
  return subject;
};

beforeEach(async () => {
  mongo = new SleepingMongo();
  url = await mongo.listen();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await mongo.close();
});

test('a server that can sleep needs no proxy, and counts the pool without the monitors', async () => {
  const witness = await openWitness(url);
  closing.push(() => witness.close());
  expect([witness.server, witness.poolUrl]).toEqual(['MongoDB 8.0.1', undefined]);
  expect(await witness.room()).toEqual({ free: 93, because: '100 at most - 6 in use' });
  const subject = shared(3);
  await subject.warmUp();
  expect(await witness.countConnections('run 1', subject.connectionIds)).toBe(3);
  const intent = { holdMillis: 7.5, signal: new AbortController().signal };
  await (await subject.checkout('order', intent)).hold(7.5);
  expect(mongo.slept.at(-1)).toBe(7.5);
  await subject.close();
  await until(async () => (await witness.countConnections('run 1', subject.connectionIds)) === 0);
});

test('an operation that waits for a connection has not begun, and goes when the rehearsal is over', async () => {
  const subject = shared(1);
  await subject.warmUp();
  const over = new AbortController();
  const log: string[] = [];
  const first = await subject.checkout('order', { holdMillis: 300, signal: over.signal });
  const waiting = subject
    .checkout('order', { holdMillis: 1, signal: over.signal })
    .then(() => log.push('begun'))
    .catch((error: Error) => log.push(error.message));
  await delay(20);
  expect(log).toEqual([]);
  over.abort(new Error('over'));
  await waiting;
  await expect(first.hold(300)).rejects.toThrow('over');
  expect(log).toEqual(['over']);
});
