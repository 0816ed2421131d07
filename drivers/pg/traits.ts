import type { Holding } from '../../src/holders.ts';
import type { PartitionTraits } from '../../src/refusals.ts';
import { inTransaction, type CheckedOut } from './client.ts';

/** pg's own words first, since people match on them; and what pg knows of a held connection. */
export const pgTraits: PartitionTraits = {
  wording: {
    timeout: 'timeout exceeded when trying to connect',
    full: 'too many clients are waiting to connect',
    aborted: 'aborted when trying to connect',
    closed: 'Cannot use a pool after calling end on the pool',
  },
  describe: describeConnection,
};

function describeConnection(holding: Holding): Readonly<Record<string, unknown>> {
  const checkedOut = holding.connection as CheckedOut | undefined;
  if (!checkedOut) return { state: 'connecting' };
  const { processID } = checkedOut.client;
  return {
    ...(processID === undefined ? {} : { processID }),
    ...(inTransaction(checkedOut.client) ? { state: 'in transaction' } : {}),
  };
}
