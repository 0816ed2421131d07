import { Duplex } from 'node:stream';

/** What a server says to one connection. */
export interface Answers {
  /** Before it is asked. */
  readonly greeting?: Buffer | undefined;
  /** @param message what the client has sent, whole */
  readonly answer: (message: Buffer) => Buffer | undefined;
}

/**
 * A socket with a server at its other end that knows one answer, that of `select 1`. What is left
 * of a query is what the driver and the pool do themselves: no system call, no network, no server.
 */
export class MemoryStream extends Duplex {
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super();
    this.#answers = answers;
    this.#say(answers.greeting);
  }

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
    this.#say(this.#answers.answer(chunk));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #say(reply: Buffer | undefined): void {
    if (reply) setImmediate(() => this.push(reply));
  }
}
