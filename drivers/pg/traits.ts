import type { Lease } from '../../src/lease.ts';
import type { PartitionTraits } from '../../src/refusals.ts';
import { inTransaction, type Loan } from './client.ts';

/** pg's own words first, since people match on them; and what pg knows of a held connection. */
export const pgTraits: PartitionTraits = {
  wording: {
    timeout: 'timeout exceeded when trying to connect',
    full: 'too many clients are waiting to connect',
    aborted: 'aborted when trying to connect',
    closed: 'Cannot use a pool after calling end on the pool',
  },
  describe: describeLoan,
};

function describeLoan(lease: Lease): Readonly<Record<string, unknown>> {
  const loan = lease.connection as Loan | undefined;
  if (!loan) return { state: 'connecting' };
  const { processID } = loan.client;
  return {
    ...(processID === undefined ? {} : { processID }),
    ...(inTransaction(loan.client) ? { state: 'in transaction' } : {}),
  };
}
