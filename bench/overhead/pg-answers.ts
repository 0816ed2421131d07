import type { Answers } from './memory-stream.ts';

/** What PostgreSQL says to one connection that asks for `select 1`. */
export function pgAnswers(): Answers {
  let greeted = false;
  return {
    answer(asked) {
      // The start-up message is the only one without a type.
      const reply = greeted ? replies[asked.toString('latin1', 0, 1)] : greeting;
      greeted = true;
      return reply;
    },
  };
}

/** @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, ...parts: readonly (string | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const readyForQuery = message('Z', 'I');
const greeting = Buffer.concat([message('R', [0, 0, 0, 0]), readyForQuery]);

const int4 = [0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0];
const replies: Readonly<Record<string, Buffer>> = {
  Q: Buffer.concat([
    message('T', [0, 1], '?column?\0', [0, 0, 0, 0, 0, 0], int4),
    message('D', [0, 1, 0, 0, 0, 1], '1'),
    message('C', 'SELECT 1\0'),
    readyForQuery,
  ]),
};
