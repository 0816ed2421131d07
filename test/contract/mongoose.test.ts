import { setTimeout as delay } from 'node:timers/promises';
import { describe } from '@jest/globals';
import mongoose from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import { open, openServer, thingOf, until } from '../support/mongo.ts';
import { describeContract } from './contract.ts';
import type { Driver } from './driver.ts';

let holds = 0;

/**
 * On a server of our own, which answers when it is told to: an operation holds a connection until
 * its answer comes, and no longer.
 */
const driver: Driver = {
  name: 'mongoose',
  seesStaleRelease: true,
  endsPartitions: false,
  async open({ connectMillis = 0, ...options }) {
    const server = await openServer();
    const connection = open(mongoose, server.url, {
      maxPoolSize: options.max,
      retryReads: false,
      bufferCommands: false,
    });
    await connection.asPromise();
    await connection.db?.command({ ping: 1 });
    const partitioned = partitionConnection(connection, { ...options, finishReserve: 0 });
    const of = (name: string | undefined): mongoose.Connection =>
      name === undefined ? connection : partitioned.partition(name);
    // The driver opens a connection when it connects; these tests begin without one.
    server.cut('working');
    await until(() => server.connections === 0);
    await delay(20);
    server.faults.connectMillis = connectMillis;
    return {
      async hold(name, { signal } = {}) {
        const comment = `hold ${++holds}`;
        const find = thingOf(of(name)).findOne().comment(comment);
        const held = (signal ? find.setOptions({ signal }) : find).exec();
        // How it ends is of no interest; that it never began is.
        const ended = held.then(
          () => undefined,
          () => undefined,
        );
        const entry = (): { readonly connection: number } | undefined =>
          server.log.running.find(({ command }) => command['comment'] === comment);
        let failed: unknown;
        held.catch((error: unknown) => (failed = error));
        await until(() => entry() !== undefined || failed !== undefined);
        const found = entry();
        if (!found) throw failed as Error;
        return {
          id: found.connection,
          async release() {
            server.interrupt(comment);
            await ended;
          },
          async kill() {
            server.cutConnection(found.connection);
            await ended;
          },
        };
      },
      async query(name) {
        await thingOf(of(name)).findOne();
      },
      stats: (name) => partitioned.stats().totals[name] as never,
      partitionOf: (name) => ({
        available: partitioned.available(name),
        isFull: partitioned.isFull(name),
      }),
      end: () => partitioned.end(),
      countConnections: async () => server.connections,
    };
  },
};

describe('the contract', () => describeContract(driver));
