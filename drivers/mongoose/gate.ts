import type { Lease } from '../../src/lease.ts';
import { Partitioner } from '../../src/partitioner.ts';
import type { Partition } from '../../src/partition.ts';
import type { ResolvedDivision } from '../shared/division.ts';
import { Router } from '../shared/router.ts';
import type { Affinity } from './affinity.ts';
import { Checkout, type CheckoutHost } from './checkout.ts';
import type { CheckOutOptions, Connection, Held, Server } from './driver.ts';
import { asDriverError } from './errors.ts';
import { partitionOf } from './facade.ts';
import { hook } from './hook.ts';
import { describe, finishes, type Operation } from './operation.ts';
import { mongoTraits } from './traits.ts';
import { TailWatch, warnOfHandOff } from './warnings.ts';

const kLease: unique symbol = Symbol('watertight.lease');

interface LeasedConnection extends Connection {
  [kLease]?: Lease | undefined;
}

/**
 * The hooks on one server of a client: `command` tells who asks, `checkOut` takes a permit before the
 * driver is asked for a connection, `checkIn` gives it back. A permit stands for a connection that
 * is checked out, whoever pinned it.
 */
export class Gate implements CheckoutHost {
  readonly partitioner: Partitioner;
  /** False once the pool is closed, or the hooks are gone: then the driver decides alone. */
  gating = true;
  readonly #server: Server;
  readonly #stock: Pick<Server, 'command'> & Pick<Server['pool'], 'checkOut' | 'checkIn'>;
  readonly #unhook: readonly (() => void)[];
  readonly #router: Router<Partition>;
  readonly #affinity: Affinity;
  readonly #tails = new TailWatch();
  /** The operation whose `command` is being called: its checkout comes in the same turn. */
  #asking: Operation | undefined = undefined;

  constructor(server: Server, division: ResolvedDivision, affinity: Affinity) {
    const { max, partitions } = division;
    this.partitioner = new Partitioner(
      { max, partitions: Object.fromEntries(partitions.map(({ name, ...rest }) => [name, rest])) },
      { traits: mongoTraits },
    );
    this.#router = new Router(this.partitioner, division);
    for (const one of this.partitioner.partitions) this.#router.set(one.name, one);
    this.#affinity = affinity;
    this.#server = server;
    const { command, pool } = server;
    this.#stock = { command, checkOut: pool.checkOut, checkIn: pool.checkIn };
    this.#unhook = [
      hook(server, 'command', (...args) => this.#command(args)),
      hook(pool, 'checkOut', (options) => this.#checkOut(options)),
      hook(pool, 'checkIn', (connection) => this.checkIn(connection)),
    ];
  }

  get address(): string {
    return this.#server.pool.address;
  }

  get isClosed(): boolean {
    return this.#server.pool.closed;
  }

  /** Puts the server back as it was. Those in line go on to the driver's own line. */
  remove(): void {
    this.leaveToDriver();
    for (const unhook of this.#unhook) unhook();
  }

  /** From now on the driver decides alone; those in line get what it gives them. */
  leaveToDriver(): void {
    this.gating = false;
    void this.partitioner.close();
  }

  /** Everything that holds a permit now. */
  get held(): Held[] {
    return Array.from(this.partitioner.partitions, ({ holders }) => holders.oldestFirst())
      .flat()
      .map(({ connection }) => connection as Held | undefined)
      .filter((held) => held !== undefined);
  }

  // What follows is called by checkouts.

  checkOutStock(options: CheckOutOptions | undefined): Promise<Connection> {
    return this.#stock.checkOut.call(this.#server.pool, options);
  }

  hold(lease: Lease, connection: LeasedConnection, operation: Operation): void {
    lease.connection = { connection, operation };
    connection[kLease] = lease;
  }

  checkIn(connection: LeasedConnection): void {
    this.#stock.checkIn.call(this.#server.pool, connection);
    const lease = connection[kLease];
    if (!lease) return;
    connection[kLease] = undefined;
    lease.release();
  }

  #command(args: unknown[]): Promise<unknown> {
    const { command } = this.#stock;
    if (!this.gating) return command.apply(this.#server, args);
    const operation = describe(args);
    this.#asking = operation;
    let result: Promise<unknown>;
    try {
      result = command.apply(this.#server, args);
      if (this.#asking && !this.#needsNoCheckOut(operation)) warnOfHandOff();
    } finally {
      this.#asking = undefined;
    }
    this.#affinity.watch(operation, result as Promise<object>);
    return result;
  }

  #needsNoCheckOut({ session }: Operation): boolean {
    return session?.pinnedConnection != null || this.isClosed;
  }

  #checkOut(options: CheckOutOptions | undefined): Promise<Connection> {
    const operation = this.#asking;
    this.#asking = undefined;
    // Without an operation it is the driver itself, which tries a connection when it connects.
    if (!operation || !this.gating || finishes(operation)) return this.checkOutStock(options);
    return new Promise((resolve, reject) => {
      try {
        const partition = this.#route(operation);
        const checkout = new Checkout(this, operation, options, resolve, reject);
        partition.enter(checkout, options?.signal ? { signal: options.signal } : undefined);
      } catch (error) {
        reject(asDriverError(error as Error));
      }
    });
  }

  /** @throws `ERR_NO_PARTITION`, `ERR_UNKNOWN_PARTITION` */
  #route(operation: Operation): Partition {
    const partition = this.#partitionOf(operation);
    operation.routedTo = partition.name;
    this.#affinity.keep(operation);
    this.#tails.see(operation, partition.name);
    return partition;
  }

  #partitionOf(operation: Operation): Partition {
    const known = this.#affinity.of(operation) ?? partitionOf(operation.session?.client);
    if (known !== undefined) return this.#router.of(known);
    const { partition } = operation;
    if (partition !== undefined) return this.#router.of(partition as string, ' in the options');
    return this.#router.route();
  }
}
