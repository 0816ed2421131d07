import type { Kinds } from './kind.ts';
import { mongooseKinds } from './mongoose.ts';
import { mysql2Kinds } from './mysql2.ts';
import { pgKinds } from './pg.ts';

/** The ways to a connection that are compared. */
export const kinds: Kinds = { ...pgKinds, ...mysql2Kinds, ...mongooseKinds };
