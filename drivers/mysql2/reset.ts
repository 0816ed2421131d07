import mysql2 from 'mysql2';
import { onceWithin } from '../shared/limit.ts';
import { kFresh, type TrackedConnection } from './connection.ts';
import type { Physical } from './physical.ts';

type Done = (error?: Error | null) => void;
type Step = (done: Done) => void;

/** What only some versions of mysql2 have, or do not declare. */
interface Inner {
  reset?(done: Done): unknown;
  readonly config: { charsetNumber?: number; readonly clientFlags?: number };
}

/** A capability that mysql2 asks for by default; the server makes a session variable of it. */
const CLIENT_IGNORE_SPACE = 256;

/**
 * Takes back what holders have set on the session: variables, temporary tables, locks, prepared
 * statements, an open transaction, the current database.
 * @param done is told once; within a limit, since a silent server must not keep the permit
 */
export function resetSession(
  connection: TrackedConnection,
  physical: Physical,
  done: (error?: Error) => void,
): void {
  const inner = connection as unknown as Inner;
  const once = onceWithin(physical.limitMillis, 'the reset of a session', (error) => {
    connection[kFresh] = true;
    // mysql2 follows what the server says of it, but knows one collation for each character set.
    inner.config.charsetNumber = physical.session.charsetNumber;
    done(error);
  });
  const begin = mayReset(connection, physical)
    ? resetIn(connection, physical.session.database)
    : [(tell: Done) => logInAgain(connection, physical, tell)];
  const restore: Step = (tell) => connection.query(asConnected(inner, physical), tell);
  inTurn([...begin, restore], (error) => once(error ?? undefined));
}

/** A reset leaves the user as it is, and cannot go back to having no database. */
function mayReset(connection: TrackedConnection, { session }: Physical): boolean {
  const { reset } = Object(connection) as { reset?: unknown };
  return Boolean(reset && session.database) && connection.config.user === session.user;
}

/** COM_RESET_CONNECTION keeps the current database. */
const resetIn = (connection: TrackedConnection, database: string | undefined): Step[] => [
  (done) => (connection as unknown as Inner).reset?.(done),
  (done) => connection.query('USE ??', [database], done),
];

/** The session begins anew, as whoever the pool was made for, in its database or in none. */
function logInAgain(connection: TrackedConnection, physical: Physical, done: Done): void {
  const { password } = physical.config.connectionConfig;
  // mysql2 would take what is missing here from what the last holder has changed to.
  Object.assign(connection.config, { ...physical.session, password });
  connection.changeUser({}, done);
}

/** What the handshake has set, and the server's own defaults have replaced. */
function asConnected({ config }: Inner, { session }: Physical): string {
  const { collation, charset } = namesOf(session.charsetNumber);
  const names = `SET NAMES ${charset} COLLATE ${collation}`;
  const ignoresSpace = (config.clientFlags ?? 0) & CLIENT_IGNORE_SPACE;
  return ignoresSpace ? `${names}, sql_mode = CONCAT(@@sql_mode, ',IGNORE_SPACE')` : names;
}

function namesOf(number: number): { readonly collation: string; readonly charset: string } {
  const all = Object.entries(mysql2.Charsets as unknown as Record<string, number>);
  const collation = all.find(([, one]) => one === number)?.[0] ?? 'UTF8MB4_UNICODE_CI';
  return { collation, charset: collation.split('_')[0] as string };
}

function inTurn(steps: readonly Step[], done: Done): void {
  const [first, ...others] = steps;
  if (!first) return done();
  first((error) => {
    if (error) done(error);
    else inTurn(others, done);
  });
}
