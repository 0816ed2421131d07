const kPartition = Symbol.for('watertight.partition');

/**
 * The client as one partition shows it: the same client, which also says the name of the partition.
 * What is started on it (sessions, databases, cursors) refers to it, and so do their operations. A
 * proxy and no heir, so that what the client assigns to itself lands on the client.
 */
export function facadeOf<Client extends object>(client: Client, name: string): Client {
  const own = new Map<PropertyKey, unknown>([
    [kPartition, name],
    ['close', stayOpen],
  ]);
  return new Proxy(client, {
    get: (target, key, receiver) =>
      own.has(key) ? own.get(key) : (Reflect.get(target, key, receiver) as unknown),
  });
}

/** The client is not this partition's alone. */
async function stayOpen(): Promise<void> {}

/** The partition of a facade; undefined for the client itself. */
export const partitionOf = (client: object | undefined): string | undefined =>
  client && (Reflect.get(client, kPartition) as string | undefined);
