import { UnknownPartitionError } from '../../src/errors.ts';
import { checkEndOptions, type EndOptions } from '../shared/end.ts';
import type { ResolvedDivision } from '../shared/division.ts';
import { resolveOptions, type PartitionedOptions } from './config.ts';
import { DividedClient } from './divided-client.ts';
import { checkClient, type Client } from './driver.ts';
import { endGates } from './end.ts';
import type { Gate } from './gate.ts';
import { statsOf, type PartitionedStats } from './stats.ts';
import { adviseWarmth } from './warnings.ts';

/** What is divided, and what a partition of it looks like. */
export interface Subject<Shown> {
  /** One partition as its users see it. */
  show(name: string, partitioned: Partitioned<string, Shown>): Shown;
  /** Closes what was divided. */
  close(): Promise<unknown>;
  /** Undoes what was done beside the hooks on the client. */
  release(): void;
}

/** A client whose connections are divided. Each server has connections of its own, divided alike. */
export class Partitioned<Name extends string, Shown> implements AsyncDisposable {
  readonly #options: PartitionedOptions<Name> | undefined;
  readonly #subject: Subject<Shown>;
  readonly #shown = new Map<string, Shown>();
  #division: ResolvedDivision;
  #divided: DividedClient | undefined = undefined;
  #ending: Promise<void> | undefined = undefined;

  /** Made by `partitionConnection` and `partitionClient`. */
  constructor(
    options: PartitionedOptions<Name> | undefined,
    subject: Subject<Shown>,
    client: Client | undefined,
  ) {
    this.#options = options;
    this.#subject = subject;
    if (client) checkClient(client);
    this.#division = resolveOptions(options, client);
    if (client) this.attach(client);
  }

  /**
   * The named partition; the same object each time.
   * @throws `ERR_UNKNOWN_PARTITION`
   */
  partition(name: Name): Shown {
    this.#check(name);
    const shown = this.#shown.get(name) ?? this.#subject.show(name, this);
    this.#shown.set(name, shown);
    return shown;
  }

  /** Operations that this partition would grant at once now, on all servers together. */
  available(name: Name): number {
    this.#check(name);
    return this.#gates
      .map(({ partitioner }) => partitioner.partition(name).available)
      .reduce((total, some) => total + some, 0);
  }

  /** True when the next operation would have to wait, whichever server it goes to. */
  isFull(name: Name): boolean {
    return this.available(name) === 0;
  }

  /** A frozen snapshot by server and partition, and of each partition in all. */
  stats(): PartitionedStats {
    return statsOf(
      this.#gates,
      this.#division.partitions.map(({ name }) => name),
    );
  }

  /**
   * Ends every partition, then closes the connection: those in line are refused, or with `drain` served,
   * those who hold are awaited.
   */
  async end(options: EndOptions = {}): Promise<void> {
    checkEndOptions(options);
    this.#ending ??= this.#end(options);
    await this.#ending;
  }

  /** Undoes the division: the client is as it was. Those in line go on to the driver's own line. */
  uninstall(): void {
    this.#divided?.remove();
    this.#subject.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.uninstall();
  }

  // What follows is called by this driver only.

  /**
   * Divides this client from now on, and no longer the one before.
   * @throws `ERR_CONFIG`, or when the client cannot be divided
   */
  attach(client: Client): void {
    checkClient(client);
    const division = resolveOptions(this.#options, client);
    const divided = new DividedClient(client, division);
    this.#divided?.remove();
    this.#divided = divided;
    this.#division = division;
    if (!division.undivided) {
      adviseWarmth(
        client,
        division.partitions.reduce((sum, { size }) => sum + size, 0),
      );
    }
  }

  facade(name: string): Client | undefined {
    return this.#divided?.facade(name);
  }

  /** The next call of `partition` makes a new one. */
  forget(name: string): void {
    this.#shown.delete(name);
  }

  get #gates(): Gate[] {
    return [...(this.#divided?.gates ?? [])];
  }

  #check(name: string): void {
    const names = this.#division.partitions.map((partition) => partition.name);
    if (!names.includes(name)) throw new UnknownPartitionError(name, names);
  }

  async #end(options: EndOptions): Promise<void> {
    if (this.#divided) await endGates(this.#divided.client, [...this.#divided.gates], options);
    await this.#subject.close();
  }
}
