import { describe, expect, jest, test } from '@jest/globals';
import type { Session } from '../../drivers/mongoose/driver.ts';
import { describe as describeOperation, finishes } from '../../drivers/mongoose/operation.ts';
import { TailWatch, warnOfHandOff } from '../../drivers/mongoose/warnings.ts';

const session = { explicit: true } as Session;

/** As the driver hands it over from 6.19 on, and before. */
const shapes: Record<string, (name: string, parts: object, options?: object) => unknown[]> = {
  'as an operation': (name, parts, options = {}) => [
    { commandName: name, ns: 'shop.orders', session, options, ...parts },
    {},
  ],
  'as its parts': (name, parts, options = {}) => [
    'shop.orders',
    { [name]: 'orders', ...parts },
    { session, ...options },
    undefined,
  ],
};

describe.each(Object.entries(shapes))('what an operation is, %s', (_, make) => {
  test('its name, namespace, session and partition', () => {
    expect(describeOperation(make('find', {}, { partition: 'batch' }))).toMatchObject({
      name: 'find',
      ns: 'shop.orders',
      session,
      partition: 'batch',
      tails: false,
    });
  });

  test('whether it waits for what is to come', () => {
    const pipeline = [{ $changeStream: {} }];
    expect(describeOperation(make('aggregate', { pipeline })).tails).toBe(true);
    expect(describeOperation(make('aggregate', { pipeline: [{ $match: {} }] })).tails).toBe(false);
  });
});

describe('a command that is run by name', () => {
  test('is that command', () => {
    const command = { commitTransaction: 1 };
    const options = { partition: 'batch' };
    const given = { commandName: 'runCommand', command, ns: 'admin.$cmd', session, options };
    const operation = describeOperation([given, {}]);
    expect(operation).toMatchObject({ name: 'commitTransaction', session, partition: 'batch' });
    expect(finishes(operation)).toBe(true);
  });
});

describe('a getMore', () => {
  test('has the id of its cursor, in both shapes', () => {
    const cursorId = { toString: () => '42' };
    const operation = { commandName: 'getMore', cursorId, ns: 'shop.orders', session };
    expect(describeOperation([operation]).cursorId).toBe('42');
    expect(describeOperation(['shop.orders', { getMore: cursorId }, {}]).cursorId).toBe('42');
    expect(describeOperation(['shop.orders', { find: 'orders' }, {}]).cursorId).toBeUndefined();
  });
});

describe('warnings', () => {
  test('come once, of a stream beside other work, not of one that goes on alone', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const watch = new TailWatch();
    const see = (name: string, tails: boolean, partition: string): void =>
      watch.see({ ...describeOperation(['a.b', { [name]: 1 }, {}]), tails }, partition);
    see('aggregate', true, 'watch');
    see('getMore', false, 'watch');
    see('find', false, 'order');
    expect(warned).not.toHaveBeenCalled();
    see('find', false, 'watch');
    see('find', false, 'watch');
    expect(warned).toHaveBeenCalledTimes(1);
    warnOfHandOff();
    warnOfHandOff();
    expect(warned.mock.calls.at(-1)).toEqual([
      expect.stringContaining('past its partition'),
      { code: 'WATERTIGHT_UNSUPPORTED_DRIVER' },
    ]);
    expect(warned).toHaveBeenCalledTimes(2);
    warned.mockRestore();
  });
});
