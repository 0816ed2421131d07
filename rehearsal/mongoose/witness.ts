import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { RehearsalError } from '../errors.ts';
import { tellsNoRoom } from '../failures.ts';
import type { Room, Witness } from '../subject.ts';
import { cannotConnect } from './failures.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { canSleep } from './sleep.ts';
import { labelUrl, parseMongoUrl, printMongoUrl } from './url.ts';

const serverSelectionTimeoutMS = 5_000;

export async function openWitness(url: string): Promise<Witness> {
  let client: mongo.MongoClient | undefined;
  try {
    client = new mongoose.mongo.MongoClient(labelUrl(url, 'watertight witness'), {
      maxPoolSize: 1,
      ...(!parseMongoUrl(url).options.has('serverSelectionTimeoutMS') && {
        serverSelectionTimeoutMS,
      }),
    });
    await client.connect();
    const product = productOf((await client.db().command({ buildInfo: 1 })) as BuildInfo);
    if (await canSleep(client.db())) return new MongoWitness(client, product);
    const proxy = await openProxy(placeOf(url));
    return new MongoWitness(client, `${product}, ${whatProxyDoes}`, { proxy, url });
  } catch (error) {
    await client?.close().catch(() => undefined);
    throw error instanceof RehearsalError ? error : cannotConnect(error, url);
  }
}

const whatProxyDoes = 'behind a proxy that holds requests and counts connections';

interface BuildInfo {
  readonly version: string;
  readonly ferretdbVersion?: string;
}

/** FerretDB says which MongoDB it takes after, and does not always know its own version. */
function productOf({ version, ferretdbVersion }: BuildInfo): string {
  if (ferretdbVersion === undefined) return `MongoDB ${version}`;
  return `FerretDB${/\d/.test(ferretdbVersion) ? ` ${ferretdbVersion}` : ''} (as MongoDB ${version})`;
}

/** Where a proxy can pass something on to. */
function placeOf(url: string): { host: string; port: number } {
  const { place, options } = parseMongoUrl(url);
  const [, host, port = '27017'] =
    /^mongodb:\/\/(?:[^@]*@)?(\[[^\]]+\]|[^,:@]+)(?::(\d+))?$/.exec(place) ?? [];
  const isEncrypted = ['tls', 'ssl'].some((name) => options.get(name) === 'true');
  if (host !== undefined && !isEncrypted) {
    return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
  }
  throw new RehearsalError(
    'ERR_CANNOT_CONNECT',
    'this server runs no JavaScript that sleeps, and a proxy that holds requests in its place can ' +
      'stand only before one host without TLS',
  );
}

/** The same account and options, by way of the proxy. */
function throughProxy(url: string, { port }: Proxy): string {
  const parsed = parseMongoUrl(url);
  const options = new URLSearchParams(parsed.options);
  options.set('directConnection', 'true');
  options.delete('replicaSet');
  const [account] = /^mongodb:\/\/(?:[^@]*@)?/.exec(parsed.place) ?? [''];
  return printMongoUrl({ place: `${account}127.0.0.1:${port}`, path: parsed.path, options });
}

class MongoWitness implements Witness {
  readonly server: string;
  readonly poolUrl?: string;
  readonly #client: mongo.MongoClient;
  readonly #proxy: Proxy | undefined;

  constructor(
    client: mongo.MongoClient,
    server: string,
    by?: { readonly proxy: Proxy; readonly url: string },
  ) {
    this.#client = client;
    this.server = server;
    this.#proxy = by?.proxy;
    if (by !== undefined) this.poolUrl = throughProxy(by.url, by.proxy);
  }

  async room(): Promise<Room> {
    try {
      const status = await this.#client.db('admin').command({ serverStatus: 1 });
      return roomOf(status['connections'] as ConnectionStatus | undefined);
    } catch (error) {
      throw tellsNoRoom(error);
    }
  }

  async countConnections(label: string, ids: ReadonlySet<number> = new Set()): Promise<number> {
    if (this.#proxy === undefined) return this.#countIds(ids);
    // The proxy would not notice that the server is gone.
    await this.#client.db('admin').command({ ping: 1 });
    return this.#proxy.count(label);
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
    await this.#client.close();
  }

  /** Not by `appName`, which the driver's monitors have as well. */
  async #countIds(ids: ReadonlySet<number>): Promise<number> {
    const [found] = await this.#client
      .db('admin')
      .aggregate([
        { $currentOp: { idleConnections: true } },
        { $match: { connectionId: { $in: [...ids] } } },
        { $group: { _id: '$connectionId' } },
        { $count: 'connections' },
      ])
      .toArray();
    return Number(found?.['connections'] ?? 0);
  }
}

interface ConnectionStatus {
  readonly current: number;
  readonly available: number;
}

/** The witness has its connections already. FerretDB has no limit, and no such figures. */
export function roomOf(connections: ConnectionStatus | undefined): Room {
  if (connections === undefined) return { free: Infinity, because: 'the server tells no limit' };
  const { available, current } = connections;
  return { free: available, because: `${available + current} at most - ${current - 1} in use` };
}
