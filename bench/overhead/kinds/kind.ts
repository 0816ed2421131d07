export type Ask = () => Promise<unknown>;

/** A way to a connection: it gives every caller a function that asks. */
export interface Kind {
  /** What the caller asks through; callers are numbered from 0. */
  askOf(caller: number): Ask;
  end(): Promise<void>;
}

export type Kinds = Readonly<Record<string, (url: string) => Kind | Promise<Kind>>>;

/** Nobody waits as long in a bench, but both sides have to be ready for it. */
export const acquireTimeoutMillis = 20_000;

export const walls = { order: 8, search: 8, batch: 4 };

/** Five callers: two, two and one, as the connections are shared out. */
const shares = ['order', 'search', 'order', 'search', 'batch'] as const;

export const shareOf = (caller: number): keyof typeof walls =>
  shares[caller % shares.length] ?? 'order';
