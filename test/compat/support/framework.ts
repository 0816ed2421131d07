import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { assertNothingInUse, whileFull } from './assertions.ts';
import type { Served } from './served.ts';

/** An application with `GET /names`, which lists the items, and `POST /names/:name`, which adds one. */
export interface Application {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  /** The framework's own shutdown. */
  close(): Promise<unknown>;
}

export interface Framework<P> {
  /** Starts an application of this framework on the partition `order`. */
  start(served: Served<P>): Promise<Application>;
  /** What the framework's own shutdown ends. */
  readonly ends: 'nothing' | 'partition' | 'pool';
}

/** Plays what an application must do whose requests use a partition. */
export function playFramework<P>(
  title: string,
  serve: (title: string) => Promise<Served<P>>,
  framework: Framework<P>,
): void {
  describe(title, () => {
    let served: Served<P>;
    let application: Application;
    const names = (): Promise<Response> => fetch(`${application.url}/names`);
    before(async () => {
      served = await serve(title);
      application = await framework.start(served);
    });
    after(() => served?.stop());

    test('queries', async () => {
      const added = await fetch(`${application.url}/names/first`, { method: 'POST' });
      assert.ok(added.ok, await added.text());
      assert.deepEqual(await (await names()).json(), ['first']);
    });

    test('walls', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, names));
      assert.ok(answers.every(({ ok }) => ok));
      assert.ok((await served.connections()) <= 3, `${await served.connections()} connections`);
    });

    test('503', async () => {
      await whileFull(served, async () => {
        const answer = await names();
        assert.equal(answer.status, 503, await answer.text());
        assert.equal(answer.headers.get('retry-after'), '1');
        await served.queryBatch();
      });
      assert.equal((await names()).status, 200);
    });

    test('nothing in use afterwards', () => assertNothingInUse(served));

    test('shutdown', async () => {
      await application.close();
      assert.equal(served.orderEnded(), framework.ends !== 'nothing');
      if (framework.ends === 'pool') await assert.rejects(served.queryBatch());
      else await served.queryBatch();
    });
  });
}

/** Of a framework that answers the requests of Node's own server. */
export async function listening(server: Server): Promise<Application> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
