import type { Scenario } from '../rehearsal/scenario.ts';
import { leakyClient } from './leaky-client.ts';
import { monthEnd } from './month-end.ts';
import { nightlyEtl } from './nightly-etl-with-transactions.ts';
import { slowSearch } from './slow-search.ts';
import { thunderingRetry } from './thundering-retry.ts';

/**
 * The scenarios that are shipped. Modules and not files: the compiler checks them, and no file has
 * to be found at run time, whichever module system the package was loaded by.
 */
export const scenarios: readonly Scenario[] = [
  monthEnd,
  slowSearch,
  leakyClient,
  thunderingRetry,
  nightlyEtl,
];
