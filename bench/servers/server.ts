import type { Transport } from '../transport.ts';

export interface BenchServer<Served extends Transport = never> {
  readonly urls: Readonly<Partial<Record<Transport, string>> & Record<Served, string>>;
  stop(): Promise<void>;
}
