import type { Document } from 'bson';

/** What is to go wrong with commands of this name. */
export interface Fault {
  /** Only for commands of this name, or for all but hello. */
  readonly command?: string;
  /** How often; for ever when not given. */
  readonly times?: number;
  /** Drops the connection instead of an answer. */
  readonly drop?: boolean;
  /** Answers with this error. */
  readonly error?: { readonly code: number; readonly name: string; readonly labels?: string[] };
  /** Answers so much later. */
  readonly delayMillis?: number;
}

/** Failures on demand. */
export class Faults {
  /** Milliseconds until a new connection is answered. */
  connectMillis = 0;
  /** Accepts connections and never answers, except the monitors that are there already. */
  silent = false;
  #faults: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity });
  }

  clear(): void {
    this.#faults = [];
    this.connectMillis = 0;
    this.silent = false;
  }

  /** The fault that this command has, used up by it. */
  take(name: string): Fault | undefined {
    const found = this.#faults.find(
      ({ fault, left }) => left > 0 && (fault.command ?? name) === name,
    );
    if (found) found.left--;
    return found?.fault;
  }
}

/** Milliseconds that a command asks to take: `comment: 'sleep:150'`. */
export function sleepOf({ comment }: Document): number {
  const [, millis] = /^sleep:(\d+)$/.exec(String(comment)) ?? [];
  return Number(millis ?? 0);
}
