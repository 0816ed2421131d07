import type { Holding } from '../../src/holders.ts';
import type { PartitionTraits } from '../../src/refusals.ts';
import { isBusy, type TrackedConnection } from './connection.ts';

/** mysql2's own words, since people match on them: it has no codes. */
export const WORDS = {
  full: 'Queue limit reached.',
  /** Of a pool with `waitForConnections: false`. */
  notWaiting: 'No connections available.',
  closed: 'Pool is closed.',
} as const;

/** And what mysql2 knows of a held connection. */
export const mysql2Traits = (waitForConnections: boolean): PartitionTraits => ({
  wording: {
    timeout: 'timeout exceeded when trying to get a connection',
    full: waitForConnections ? WORDS.full : WORDS.notWaiting,
    aborted: 'aborted when trying to get a connection',
    closed: WORDS.closed,
  },
  describe: describeConnection,
});

function describeConnection(holding: Holding): Readonly<Record<string, unknown>> {
  const connection = holding.connection as TrackedConnection | undefined;
  if (!connection) return { state: 'connecting' };
  const { threadId, _paused } = connection;
  if (_paused) return { threadId, state: 'not reading its rows' };
  return isBusy(connection) ? { threadId, state: 'running a command' } : { threadId };
}
