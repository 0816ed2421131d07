/** As much of MongoDB's wire protocol as a proxy has to understand. */
import type { Readable } from 'node:stream';

/** The whole messages of a stream, one after the other. Each begins with its length. */
export async function* framesOf(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE()) {
      const length = rest.readInt32LE();
      // A length that is none: whoever speaks here does not speak this protocol.
      if (length < 16) return;
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
}

const string = '\u0002';

/**
 * The string in this field of a message's BSON. Reads no structure: for a field that is in a
 * message at most once.
 */
export function stringIn(frame: Buffer, field: string): string | undefined {
  const key = `${string}${field}\0`;
  const at = frame.indexOf(key);
  if (at < 0) return undefined;
  const start = at + key.length + 4;
  return frame.toString('utf8', start, start + frame.readInt32LE(start - 4) - 1);
}
