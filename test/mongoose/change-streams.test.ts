import { describe, expect, jest } from '@jest/globals';
import mongoose from 'mongoose';
import { runIn } from '../../src/index.ts';
import {
  describeBoth,
  grantsDuring,
  inUse,
  openDivided,
  serverUrl,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = { partitions: { order: 2, watch: 1 }, defaultPartition: 'order' } as const;

describeBoth('a change stream', (mongoose) => {
  testWith('changeStreams')('in a partition of its own is not in the way', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const Thing = thingOf(connection);
    await Thing.createCollection();
    const stream = thingOf(partitioned.partition('watch')).watch([], { maxAwaitTimeMS: 50 });
    const changes: unknown[] = [];
    stream.on('change', (change) => changes.push(change));
    await until(() => partitioned.isFull('watch'));
    const granted = await grantsDuring(partitioned, async () => {
      for (let n = 0; n < 5; n++) await Thing.create({ n });
      await until(() => changes.length === 5);
    });
    expect(granted['order']).toBe(5);
    await stream.close();
    await until(() => inUse(partitioned) === 0);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  testWith('changeStreams')('stays in the partition where it was opened', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const Thing = thingOf(connection);
    await Thing.createCollection();
    const granted = await grantsDuring(partitioned, async () => {
      const stream = Thing.collection.watch([], { maxAwaitTimeMS: 20 });
      await runIn('watch', () => stream.tryNext());
      await stream.tryNext();
      await stream.tryNext();
      await stream.close();
    });
    expect(Object.keys(granted)).toEqual(['watch']);
    expect(granted['watch']).toBeGreaterThan(2);
  });
});

describe('a change stream beside other operations', () => {
  testWith('changeStreams')('is warned about once in a process', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const order = partitioned.partition('order');
    for (let times = 0; times < 2; times++) {
      const stream = thingOf(order).watch([], { maxAwaitTimeMS: 10 });
      await new Promise((resolve) => stream.once('resumeTokenChanged', resolve));
      await thingOf(order).find();
      await stream.close();
    }
    expect(warned.mock.calls).toEqual([
      [
        expect.stringContaining("partition 'order': a change stream or tailable cursor"),
        { code: 'WATERTIGHT_CHANGE_STREAM' },
      ],
    ]);
    warned.mockRestore();
  });
});
