import { expect, jest, test } from '@jest/globals';
import {
  describeBoth,
  inUse,
  openDivided,
  openServer,
  rejection,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = { partitions: { order: 2, batch: 1 }, defaultPartition: 'order' } as const;

describeBoth('end', (mongoose) => {
  test('refuses those who wait, waits for those who hold, closes the connection', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const batch = partitioned.partition('batch');
    const log: string[] = [];
    const held = slow(batch, 60).then(() => log.push('held'));
    await until(() => partitioned.isFull('batch'));
    const waiting = rejection(thingOf(batch).find());
    await until(() => partitioned.stats().totals['batch']?.gauges.waiting === 1);
    const ended = partitioned.end().then(() => log.push('ended'));
    expect(await waiting).toMatchObject({
      code: 'ERR_PARTITION_CLOSED',
      message: expect.stringMatching(/^Attempted to check out a connection from closed/),
    });
    await Promise.all([held, ended]);
    expect(log).toEqual(['held', 'ended']);
    expect(connection.readyState).toBe(0);
    await partitioned.end();
  });

  test('with drain serves those who wait and takes nobody new', async () => {
    const { partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const batch = partitioned.partition('batch');
    const held = slow(batch, 30);
    await until(() => partitioned.isFull('batch'));
    const waiting = thingOf(batch).find().exec();
    await until(() => partitioned.stats().totals['batch']?.gauges.waiting === 1);
    const ended = partitioned.end({ drain: true });
    expect(await rejection(thingOf(batch).find())).toMatchObject({ code: 'ERR_PARTITION_CLOSED' });
    await Promise.all([held, waiting, ended]);
  });

  test('refuses options that make no sense', async () => {
    const { partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const error = await rejection(partitioned.end({ timeoutMillis: -1 }));
    expect(error).toMatchObject({ code: 'ERR_CONFIG' });
  });

  testWith('ownServer')('with a limit ends what runs on the server, and says what', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const held = rejection(slow(partitioned.partition('batch'), 5000));
    await until(() => partitioned.isFull('batch'));
    await partitioned.end({ timeoutMillis: 20 });
    expect(await held).toMatchObject({ code: 11601 });
    expect(server.log.count('killSessions')).toBe(1);
    expect(server.log.count('find')).toBe(1);
    expect(inUse(partitioned)).toBe(0);
    expect(warned.mock.calls).toEqual([
      [
        expect.stringMatching(/not ended within 20 ms of end\(\).*"partition":"batch".*"find"/),
        { code: 'WATERTIGHT_LEAKED_CONNECTIONS' },
      ],
    ]);
    warned.mockRestore();
  });

  testWith('ownServer')('with a limit takes connections back when that does not help', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const error = { code: 59, name: 'CommandNotFound' };
    server.faults.add({ command: 'killSessions', error });
    const held = rejection(slow(partitioned.partition('batch'), 5000));
    await until(() => partitioned.isFull('batch'));
    await partitioned.end({ timeoutMillis: 10 });
    expect((await held).message).toBe('the connection was taken back: its client has ended');
    expect(server.log.count('find')).toBe(1);
    warned.mockRestore();
  });
});

describeBoth('the close of a connection', (mongoose) => {
  testWith('ownServer')(
    'tells those in line what the driver tells, and leaves nothing',
    async () => {
      const server = await openServer();
      const { connection, partitioned } = await openDivided(mongoose, server.url, options);
      const batch = partitioned.partition('batch');
      const running = Promise.allSettled(Array.from({ length: 20 }, () => slow(batch, 30)));
      await until(() => partitioned.stats().totals['batch']?.gauges.waiting === 19);
      await connection.close();
      const errors = (await running).flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as Error).name] : [],
      );
      expect(errors.length).toBeGreaterThanOrEqual(18);
      for (const name of errors) expect(name).toMatch(/^Mongo/);
      expect(inUse(partitioned)).toBe(0);
      await until(() => server.connections === 0);
    },
  );
});
