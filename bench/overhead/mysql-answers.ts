import type { Answers } from './memory-stream.ts';

type Part = string | readonly number[];

/** What MySQL says to one connection that asks for `select 1`. */
export function mysqlAnswers(): Answers {
  let greeted = false;
  return {
    greeting,
    answer(message) {
      if (!greeted) {
        greeted = true;
        return packet(2, OK);
      }
      const command = message[HEADER];
      if (command === COM_QUIT) return undefined;
      return command === COM_QUERY ? row : packet(1, OK);
    },
  };
}

/** @see https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html */
function packet(number: number, ...parts: readonly Part[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const header = Buffer.alloc(HEADER);
  header.writeUIntLE(body.length, 0, 3);
  header.writeUInt8(number, 3);
  return Buffer.concat([header, body]);
}

const HEADER = 4;
const COM_QUIT = 1;
const COM_QUERY = 3;
const AUTOCOMMIT = [2, 0];
const OK = [0, 0, 0, ...AUTOCOMMIT, 0, 0];
const EOF = [0xfe, 0, 0, ...AUTOCOMMIT];
const UTF8 = 0x2d;
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** Long flags, a database at the log-in, protocol 4.1, transactions, a challenge; a named plug-in. */
const capabilities = { low: [0x0d, 0xa2], high: [0x08, 0] };
const challenge = { first: '12345678', rest: '901234567890\0' };

const greeting = packet(
  0,
  ...[[10], '9.0.0\0', [1, 0, 0, 0], challenge.first, [0], capabilities.low, [UTF8], AUTOCOMMIT],
  ...[capabilities.high, [21], zeros(10), challenge.rest, 'mysql_native_password\0'],
);

const BIGINT = 8;
const row = Buffer.concat([
  packet(1, [1]),
  packet(
    2,
    ...[[3], 'def', [0, 0, 0], [1], '1', [0]],
    ...[[0x0c, UTF8, 0, 1, 0, 0, 0, BIGINT, 1, 0, 0, 0, 0]],
  ),
  packet(3, EOF),
  packet(4, [1], '1'),
  packet(5, EOF),
]);
