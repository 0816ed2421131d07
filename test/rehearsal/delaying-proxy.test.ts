import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { serialize, type Document } from 'bson';
import { framesOf, stringIn } from '../../rehearsal/mongoose/frames.ts';
import { openProxy, type Proxy } from '../../rehearsal/mongoose/proxy.ts';
import { until } from '../support/pg.ts';

/** An OP_MSG with one section. */
function message(id: number, document: Document): Buffer {
  const body = serialize(document);
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + body.length, 0);
  head.writeInt32LE(id, 4);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body]);
}

async function all(frames: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const frame of frames) found.push(frame);
  return found;
}

const idOf = (frame: Buffer): number => frame.readInt32LE(4);

describe('the messages of a stream', () => {
  test('come whole, however they were cut', async () => {
    const bytes = Buffer.concat([message(1, { ping: 1 }), message(2, { find: 'a' })]);
    for (const size of [1, 3, 30, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const frames = await all(framesOf(Readable.from(chunks)));
      expect(frames.map(idOf)).toEqual([1, 2]);
    }
  });

  test('end at once where something else is spoken', async () => {
    const frames = framesOf(Readable.from([Buffer.from([2, 0, 0, 0, 1])]));
    await expect(all(frames)).resolves.toEqual([]);
  });

  test('are read for a string in them', () => {
    expect(stringIn(message(1, { find: 'a', comment: 'of üs', $db: 'd' }), 'comment')).toBe(
      'of üs',
    );
    expect(stringIn(message(1, { ping: 1, comment: 5 }), 'comment')).toBeUndefined();
  });
});

describe('a proxy before a server that cannot sleep', () => {
  let proxy: Proxy;
  let server: Server;
  let received: number[];
  const upstream = new Set<Socket>();
  const clients: Socket[] = [];

  beforeEach(async () => {
    received = [];
    server = createServer((socket) => {
      upstream.add(socket);
      void (async () => {
        for await (const frame of framesOf(socket)) received.push(idOf(frame));
      })().catch(() => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await openProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = (): Socket => {
    const client = connect(proxy.port, '127.0.0.1');
    clients.push(client);
    return client;
  };

  test('holds what is to last, keeps the order of its connection, and delays no other', async () => {
    const [slow, fast] = [open(), open()];
    slow.write(message(1, { find: 'a', comment: 'sleep:200:1:run 1' }));
    slow.write(message(2, { ping: 1 }));
    await until(() => upstream.size >= 2);
    fast.write(message(3, { ping: 1 }));
    await until(() => received.length === 3);
    expect(received).toEqual([3, 1, 2]);
  });

  test('counts by label the connections that work, until the server sees them closed', async () => {
    const [working, watching] = [open(), open()];
    for (const client of [working, watching]) client.write(message(1, { hello: 1 }));
    working.write(message(2, { find: 'a', comment: 'sleep:0:1:run 1' }));
    await until(() => received.length === 3);
    expect([proxy.count('run 1'), proxy.count('run 2')]).toEqual([1, 0]);
    working.destroy();
    await until(() => proxy.count('run 1') === 0);
  });
});
