import { faultLine, type Fault } from '../src/errors.ts';

/** A line for each fault, once, in the order of the lines of the file; what stands in none comes first. */
export function faultLines(faults: readonly Fault[]): string[] {
  const lines = new Set(faults.map((fault) => faultLine(missing(fault))));
  return [...lines].toSorted((a, b) => lineIn(a) - lineIn(b));
}

const lineIn = (fault: string): number => Number(/^.+?:(\d+): /.exec(fault)?.[1] ?? 0);

/** A file has no `undefined`: what it does not have is missing. */
function missing({ path, rule, ...rest }: Fault): Fault {
  if (!('got' in rest) || rest.got !== undefined) return { path, rule, ...rest };
  return { path, rule: `missing; ${rule}` };
}
