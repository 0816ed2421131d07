import { deserialize, serialize, type Document } from 'bson';

/** One request of a client: its number, which the reply repeats, and the command. */
export interface Message {
  readonly id: number;
  readonly command: Document;
  /** The old form, in which a client says hello: the reply is in the old form too. */
  readonly legacy: boolean;
  /** The client expects no reply. */
  readonly oneWay: boolean;
}

const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;

/** Cuts a stream of bytes into messages. */
export function messages(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      onMessage(parse(pending.subarray(0, length)));
      pending = pending.subarray(length);
    }
  };
}

function parse(bytes: Buffer): Message {
  const id = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  if (opCode === OP_QUERY) {
    const name = bytes.indexOf(0, HEADER + 4);
    return { id, command: read(bytes, name + 9), legacy: true, oneWay: false };
  }
  if (opCode !== OP_MSG)
    throw new Error(`the test server does not read messages of kind ${opCode}`);
  const oneWay = (bytes.readInt32LE(HEADER) & MORE_TO_COME) !== 0;
  return { id, command: readSections(bytes), legacy: false, oneWay };
}

function readSections(bytes: Buffer): Document {
  let command: Document = {};
  let at = HEADER + 4;
  while (at < bytes.length) {
    const kind = bytes[at++];
    const end = at + bytes.readInt32LE(at);
    if (kind === 0) command = { ...read(bytes, at), ...command };
    else {
      const name = bytes.indexOf(0, at + 4);
      command[bytes.toString('utf8', at + 4, name)] = readAll(bytes, name + 1, end);
    }
    at = end;
  }
  return command;
}

function readAll(bytes: Buffer, from: number, end: number): Document[] {
  const documents: Document[] = [];
  for (let at = from; at < end; at += bytes.readInt32LE(at)) documents.push(read(bytes, at));
  return documents;
}

const read = (bytes: Buffer, at: number): Document =>
  deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)));

export function reply({ id, legacy }: Message, document: Document): Buffer {
  const body = Buffer.from(serialize(document, { ignoreUndefined: true }));
  const before = Buffer.alloc(legacy ? HEADER + 20 : HEADER + 5);
  before.writeInt32LE(before.length + body.length, 0);
  before.writeInt32LE(id, 8);
  before.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) before.writeInt32LE(1, HEADER + 16);
  return Buffer.concat([before, body]);
}
