/** What a caller may ask for besides a place in the line. */
export interface Call {
  readonly signal?: AbortSignal;
  readonly timeoutMillis?: number;
  readonly priority?: number;
}

/** Told once for each caller; the same functions for all, so that the harness allocates nothing. */
export interface Outcome {
  readonly served: () => void;
  readonly refused: () => void;
}

export interface GateOptions {
  /** Deadline of a caller, for subjects that have one. */
  readonly timeoutMillis: number;
  /** Subjects that can do without a deadline do without, unless it is what is measured. */
  readonly timeoutMatters?: boolean;
}

/** One permit and its line. */
export interface Gate {
  /** One after the other: takes the permit, without waiting, and gives it back. */
  turns(count: number): Promise<void>;
  /** The same without a promise. */
  turnsSync?(count: number): void;
  /** Takes the permit; what it resolves to gives it back. */
  hold(): Promise<() => void>;
  /** What it returns sends one caller, who gives the permit back as soon as it is served. */
  caller(outcome: Outcome): (call?: Call) => void;
  /** Waits for the permit and keeps it. */
  ask(): unknown;
}

/** What a subject can do besides serving a line. */
export type Ability = 'sync' | 'timeout' | 'abort' | 'priority';

export interface Subject {
  readonly name: string;
  readonly abilities: readonly Ability[];
  open(options: GateOptions): Gate | Promise<Gate>;
}
