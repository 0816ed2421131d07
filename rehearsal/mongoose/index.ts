import type { PluggableDriver } from '../subject.ts';

export declare const mongooseRehearsal: PluggableDriver;
