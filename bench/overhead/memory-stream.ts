import { Duplex } from 'node:stream';

/**
 * A socket with a server at its other end that knows one answer, that of `select 1`. What is left
 * of a query is what the driver and the pool do themselves: no system call, no network, no server.
 */
export class MemoryStream extends Duplex {
  #greeted = false;

  connect(): void {
    setImmediate(() => this.emit('connect'));
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // The start-up message is the only one without a type.
    const reply = this.#greeted ? replies[chunk.toString('latin1', 0, 1)] : greeting;
    this.#greeted = true;
    if (reply) setImmediate(() => this.push(reply));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
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
