import { describe } from '@jest/globals';
import type { DatabaseName } from './databases.ts';
import { foundUrl } from './urls.ts';

/** `describe` for tests that need the server of a database; without one they count as skipped. */
export const describeOn = (name: DatabaseName): typeof describe | typeof describe.skip =>
  foundUrl(name) ? describe : describe.skip;
