import type { Holding } from '../../src/holders.ts';
import type { PartitionTraits } from '../../src/refusals.ts';
import type { Held } from './driver.ts';

/** The driver's own words first, since people match on them; and which command holds a connection. */
export const mongoTraits: PartitionTraits = {
  wording: {
    timeout: 'Timed out while checking out a connection from connection pool',
    full: 'Too many operations are waiting for a connection from connection pool',
    aborted: 'This operation was aborted',
    closed: 'Attempted to check out a connection from closed connection pool',
  },
  describe: describeConnection,
};

/** No filters and no documents: those are the user's secrets. */
function describeConnection(holding: Holding): Readonly<Record<string, unknown>> {
  const held = holding.connection as Held | undefined;
  if (!held) return { state: 'connecting' };
  const { name, ns } = held.operation;
  return { command: name, ns: String(ns), connectionId: held.connection.id };
}
