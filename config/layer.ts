import type { PartitionDefaults, PartitionsConfig } from '../src/config.ts';

/** What a service says about its pool, whichever driver it has. */
export interface ServiceConfig<Name extends string = string> extends PartitionDefaults {
  /** Connections the pool may open. */
  max?: number | undefined;
  partitions?: PartitionsConfig<Name> | undefined;
  /** Where calls on the pool itself go, outside `runIn`. */
  defaultPartition?: NoInfer<Name> | undefined;
}

export const SCALARS = ['max', 'defaultPartition', 'acquireTimeoutMillis', 'maxWaiting'] as const;
export type Scalar = (typeof SCALARS)[number];

/** Where a value comes from, as people find it: `code`, `watertight.config.json:7`, `WATERTIGHT_MAX`. */
export type Origin = string;

export interface Setting {
  readonly value: unknown;
  readonly origin: Origin;
}

/** One place where options come from: its settings, those of the partitions by name and option. */
export class Layer {
  readonly scalars: Map<Scalar, Setting> = new Map();
  readonly partitions: Map<string, Map<string, Setting>> = new Map();

  /** Where each partition is named. */
  readonly names: Map<string, Origin> = new Map();

  /** The partition's settings, which are made when it had none. */
  partition(name: string, origin: Origin): Map<string, Setting> {
    this.names.set(name, origin);
    const known = this.partitions.get(name);
    if (known) return known;
    const made = new Map<string, Setting>();
    this.partitions.set(name, made);
    return made;
  }

  remove(name: string): void {
    this.partitions.delete(name);
    this.names.delete(name);
  }

  /** What `stronger` says counts; the rest stays. */
  overlaidWith(stronger: Layer): Layer {
    const both = new Layer();
    for (const { scalars, partitions, names } of [this, stronger]) {
      for (const [name, setting] of scalars) both.scalars.set(name, setting);
      for (const [name, origin] of names) {
        const settings = both.partition(name, origin);
        for (const [option, setting] of partitions.get(name) ?? []) settings.set(option, setting);
      }
    }
    return both;
  }
}
