export type { Environment } from './environment.ts';
export type { ServiceConfig } from './layer.ts';
export { loadConfig, type LoadOptions } from './load.ts';
