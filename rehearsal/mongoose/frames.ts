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

const embeddedDocument = '\u0003';
const string = '\u0002';

/**
 * The string in this field of a message's BSON, after this document if one is named. Reads no
 * structure: the fields that are asked for are in every message at most once.
 */
export function stringIn(frame: Buffer, field: string, document?: string): string | undefined {
  const from = document === undefined ? 0 : frame.indexOf(`${embeddedDocument}${document}\0`);
  if (from < 0) return undefined;
  const key = `${string}${field}\0`;
  const at = frame.indexOf(key, from);
  if (at < 0) return undefined;
  const start = at + key.length + 4;
  return frame.toString('utf8', start, start + frame.readInt32LE(start - 4) - 1);
}
