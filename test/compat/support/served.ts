/** A pool of four connections to a database of its own: two are `order`'s, two are `batch`'s. */
export interface Served<P> {
  readonly order: P;
  readonly url: string;
  /** Connections to this database as the server counts them, without those of this witness. */
  connections(): Promise<number>;
  /** Holds both connections of `order` until the returned function is called. */
  fill(): Promise<() => Promise<void>>;
  /** Permits that `order` has granted so far. */
  granted(): number;
  inUse(): number;
  orderEnded(): boolean;
  /** Rejects when the other partition is disturbed. */
  queryBatch(): Promise<void>;
  stop(): Promise<void>;
}
