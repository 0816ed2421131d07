import { ObjectId, type Document } from 'bson';

/** What the server says it is. */
export type Topology = 'standalone' | 'replicaSet' | 'sharded' | 'loadBalanced';

const serviceId = new ObjectId();

/** The answer to hello. Without `topologyVersion`, so that monitors ask and need one socket only. */
export function hello(topology: Topology, address: string): Document {
  return {
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ...EXTRA[topology](address),
    ok: 1,
  };
}

const EXTRA: Record<Topology, (address: string) => Document> = {
  standalone: () => ({}),
  replicaSet: (address) => ({
    setName: 'rs0',
    setVersion: 1,
    secondary: false,
    hosts: [address],
    primary: address,
    me: address,
  }),
  sharded: () => ({ msg: 'isdbgrid' }),
  loadBalanced: () => ({ msg: 'isdbgrid', serviceId }),
};

export const isHello = (name: string): boolean =>
  name === 'hello' || name === 'isMaster' || name === 'ismaster';
