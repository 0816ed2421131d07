import { availableParallelism, cpus } from 'node:os';

export interface Machine {
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
}

export function thisMachine(): Machine {
  return {
    node: process.versions.node,
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
  };
}

export const describeMachine = ({ node, processor, cores }: Machine): string =>
  `Node ${node}, ${processor}, ${cores} cores`;
