/**
 * Stands on the loopback address before a server that cannot sleep: holds a request as long as its
 * comment says, keeps the order of each connection, and counts the connections to the server.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { framesOf, stringIn } from './frames.ts';
import { parseComment } from './sleep.ts';

export interface Proxy {
  readonly port: number;
  /**
   * Sockets to the server, in whatever state, on which operations with this label came. Those on
   * which the driver only watches the server do not count, as they do not for the pool.
   */
  count(label: string): number;
  close(): Promise<void>;
}

/** A pair of sockets. */
interface Passage {
  /** Of the operations that came on it. */
  label: string | undefined;
}

export async function openProxy(to: { host: string; port: number }): Promise<Proxy> {
  const passages = new Set<Passage>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay();
    // What breaks closes, and closing is what is acted on.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(to);
    const passage: Passage = { label: undefined };
    passages.add(passage);
    keep(client);
    keep(upstream);
    upstream.on('close', () => {
      passages.delete(passage);
      client.destroy();
    });
    client.on('close', () => upstream.destroy());
    upstream.pipe(client);
    void passOn(client, upstream, passage).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    count: (label) => [...passages].filter((passage) => passage.label === label).length,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(client: Socket, upstream: Socket, passage: Passage): Promise<void> {
  for await (const frame of framesOf(client)) {
    const comment = parseComment(stringIn(frame, 'comment') ?? '');
    if (comment !== undefined) {
      passage.label = comment.label;
      await delay(comment.millis);
    }
    if (upstream.destroyed) return;
    upstream.write(frame);
  }
  upstream.end();
}
