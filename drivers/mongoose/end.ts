import { settlesWithin, type EndOptions } from '../shared/end.ts';
import type { Client } from './driver.ts';
import type { Gate } from './gate.ts';

/** How long a command that was killed on the server may take to tell so. */
const KILL_GRACE_MILLIS = 1000;

/** Refuses or serves those in line, waits for those who hold; after the limit takes back from them. */
export async function endGates(
  client: Client,
  gates: readonly Gate[],
  { drain, timeoutMillis }: EndOptions,
): Promise<void> {
  const all = gates.map(({ partitioner }) => (drain ? partitioner.drain() : partitioner.close()));
  const idle = settled(all);
  if (await settlesWithin(idle, timeoutMillis)) return;
  warnOfLeaks(gates, timeoutMillis);
  // Those who are still in line after a drain would get what is taken back.
  for (const { partitioner } of gates) void partitioner.close();
  await killSessions(client, gates);
  if (await settlesWithin(idle, KILL_GRACE_MILLIS)) return;
  // Not `destroy`: the driver would take that for a broken network, clear the pool and ask again.
  for (const { connection } of gates.flatMap(({ held }) => held)) {
    connection.onError(new Error('the connection was taken back: its client has ended'));
  }
  await idle;
}

/** Ends the commands on the server, where the connections survive it. */
async function killSessions(client: Client, gates: readonly Gate[]): Promise<void> {
  const sessions = gates
    .flatMap(({ held }) => held)
    .map(({ operation }) => operation.session)
    .filter((session) => session?.id !== undefined && !session.hasEnded);
  if (sessions.length === 0) return;
  const command = client.db('admin').command({ killSessions: sessions.map((one) => one?.id) });
  // Not every server knows it, and one that is down cannot answer.
  await settlesWithin(settled([command]), KILL_GRACE_MILLIS);
}

async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
}

function warnOfLeaks(gates: readonly Gate[], timeoutMillis: number | undefined): void {
  const holders = gates.flatMap(({ partitioner }) =>
    Array.from(partitioner.partitions, (partition) => ({
      partition: partition.name,
      holders: partition.describeHolders(),
    })).filter((one) => one.holders.length > 0),
  );
  process.emitWarning(
    `operations that had not ended within ${timeoutMillis} ms of end() are ended now: ` +
      JSON.stringify(holders),
    { code: 'WATERTIGHT_LEAKED_CONNECTIONS' },
  );
}
